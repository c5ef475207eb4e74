import type { Arguments } from '../../auth/request.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { channel as channelSpan, code, person as personSpan, say, strong } from '../../handlers/reply.ts';
import type { Action, ToSend } from '../../journal/journal.ts';
import { isBreakGlass } from '../base/consent.ts';
import { appliancesOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { notifyPerson } from '../showing/messages.ts';

/** The alarm after break-glass: tells everybody whose approval was not waited for. Nothing for any other action. */
export type Alarm = (action: Action) => Promise<readonly ToSend[]>;

export function createAlarm({
  authority,
  commandByPhrase,
}: Pick<Parts, 'authority' | 'commandByPhrase'>): Alarm {
  return async (action) => {
    const command = commandByPhrase.get(action.phrase ?? '');
    const { channel, person, line, args } = action;
    if (command === undefined || !isBreakGlass(args)) return [];
    const on = appliancesOf(action).join(', ');
    const headline = say`🚨 ${personSpan(person)} used break-glass in ${channelSpan(channel)} and runs ${code(line)} on ${strong(on)} now, without anybody's approval. You are told because you could have approved it.`;
    const people = await approversOf(command, args, action);
    return people.filter((id) => id !== person).map((id) => notifyPerson(id, { headline }));
  };

  async function approversOf(
    command: AnyCommand,
    args: Arguments,
    action: Action,
  ): Promise<readonly string[]> {
    const asked = { command, args, appliances: appliancesOf(action), lasts: 'any' } as const;
    const approval = authority.approvalFor(asked, []);
    const rules = approval.kind === 'needed' ? approval.rules : 'rule' in approval ? [approval.rule] : [];
    const roles = rules.flatMap(({ by }) => by);
    const people = await authority.people(roles, action.channel);
    return people === 'everyone' ? [] : people;
  }
}
