import type { Policy } from '../../auth/policy.ts';
import { code, enumerate, moment, person, say, strong } from '../../handlers/reply.ts';
import { freezeOver } from '../authority/freeze-over.ts';
import { changeOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { tellBelow } from '../showing/messages.ts';
import { concernedBy, inPerson } from '../showing/planned-over.ts';

/** More than are planned at once. */
const most = 1_000;

/**
 * A freeze that comes later keeps what was planned into it from running. Whoever planned or approved that hears so now, while there
 * is time to give it another one, and not at night.
 */
export const createTellFrozen =
  (parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'outbox'>) =>
  async ({ freezes: before = {} }: Policy): Promise<void> => {
    const { authority, commandByPhrase, journal, outbox } = parts;
    const { freezes: after = {} } = authority.policy();
    const isNew = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
    if (!Object.keys(after).some(isNew)) return;
    for (const action of await journal.duePlanned(Number.MAX_SAFE_INTEGER, most)) {
      const command = changeOf(commandByPhrase, action);
      const frozen = command && (await freezeOver(parts, action, command));
      if (frozen === undefined || ![frozen.name, ...frozen.followedBy].some(isNew)) continue;
      const { name, reason, until } = frozen;
      const people = await concernedBy(journal, action);
      const why = say`The policy now freezes changes then, until ${moment(until)} (${code(name)}${reason === undefined ? [] : say`: ${reason}`}), so it will not run. ${strong('Change the time…')} on its card moves it.`;
      const below = say`${enumerate(people.map(person))}: ${why}`;
      await outbox.send(
        ...(action.card === undefined ? [] : tellBelow(action, { headline: below })),
        ...inPerson(action, people, 'is frozen', why),
      );
    }
  };
