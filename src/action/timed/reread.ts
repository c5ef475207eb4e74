import { plainText } from '../../handlers/reply.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { changeOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { endWithRecord } from '../history/end-record.ts';
import type { Reread } from '../wording/restored.ts';
import { lookAt } from './look.ts';

/** Nobody asks for it: it is only looked. */
const nobody = { id: '', person: '', channel: '' };

/**
 * Reads anew what the journal believes to be on for a time, and whether there is more of the kind than it knows: for when it
 * has slept through something. What is seen to be over is over.
 */
export async function reread(
  parts: Pick<Parts, 'appliances' | 'commandByPhrase' | 'contexts' | 'journal'>,
): Promise<readonly Reread[]> {
  const { appliances, commandByPhrase, journal } = parts;
  const found: Reread[] = [];
  const known = await journal.timedChanges();
  for (const row of known) {
    const { appliance: name, endsAt, seen } = row;
    const action = await journal.byId(row.action);
    const timed = action && changeOf(commandByPhrase, action)?.timed;
    const appliance = appliances.get(name);
    if (action === undefined || timed === undefined || appliance === undefined) continue;
    const looked = await lookAt(parts, appliance, action, timed, seen);
    if (looked?.kind === 'over') {
      const ended = { how: 'found', says: plainText(looked.evidence) } as const;
      await endWithRecord(parts, action, row, ended);
    }
    const state = looked?.kind === 'lasts' ? 'on' : looked?.kind === 'over' ? 'over' : 'unclear';
    found.push({ appliance: name, name: timed.name, state, endsAt });
  }
  for (const [name, appliance] of appliances) {
    if (known.some((one) => one.appliance === name && !isPutBack(one))) continue;
    for (const command of commandByPhrase.values()) {
      const timed = command.kind === 'change' ? command.timed : undefined;
      if (timed === undefined) continue;
      const looked = await lookAt(parts, appliance, nobody, timed, false);
      if (looked?.kind === 'lasts') {
        found.push({ appliance: name, name: timed.name, state: 'unknown', endsAt: undefined });
      }
    }
  }
  return found;
}
