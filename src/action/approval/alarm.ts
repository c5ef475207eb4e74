import type { AnyCommand } from '../../handlers/command.ts';
import { channel as channelSpan, code, person as personSpan, say, strong } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Parts } from '../parts.ts';
import { appliancesOf } from '../stored.ts';
import { isBreakGlass } from './consent.ts';

/** Tells everybody whose approval was not waited for that the glass was broken. Nothing for any other action. */
export type Alarm = (running: Action) => Promise<void>;

export function createAlarm({ authority, chat, commandByPhrase }: Parts): Alarm {
  return async (running) => {
    const command = commandByPhrase.get(running.phrase ?? '');
    if (command === undefined || !isBreakGlass(running.args)) return;
    const { channel, person, line } = running;
    const on = appliancesOf(running).join(', ');
    const headline = say`🚨 ${personSpan(person)} broke the glass in ${channelSpan(channel)} and runs ${code(line)} on ${strong(on)} now, without anybody's approval. You are told because you could have approved it.`;
    const people = await approversOf(command, running);
    await Promise.all(people.filter((id) => id !== person).map((id) => chat.notify(id, { headline })));
  };

  async function approversOf(command: AnyCommand, { args, channel }: Action): Promise<readonly string[]> {
    const approval = authority.approvalFor(command, args as Readonly<Record<string, unknown>>, []);
    const rules = approval.kind === 'needed' ? approval.rules : 'rule' in approval ? [approval.rule] : [];
    const roles = rules.flatMap(({ by }) => by);
    const people = await authority.people(roles, channel);
    return people === 'everyone' ? [] : people;
  }
}
