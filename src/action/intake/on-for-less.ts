import type { AnyChange } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import { targetsIn } from '../base/stored.ts';
import type { Proposed } from '../change/propose.ts';
import { endFrom, lastingOf, madeOn } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import { isNothing, previewOn } from '../target/target.ts';
import { onAlready } from '../wishes/on-already.ts';

/**
 * Of several appliances, those on which all of it is on for less long than somebody asks for: they are skipped, because there is nothing
 * to send, and what is on would go off there too early. It is asked for there by itself, as if that appliance alone was named.
 */
export async function onForLess(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'contexts' | 'journal' | 'match' | 'now'>,
  asked: Action,
  command: AnyChange,
  { resolutions, term, start, moves }: Proposed,
): Promise<readonly string[]> {
  if (resolutions.length === 1 || moves !== undefined || asked.undoes !== undefined) return [];
  const lasting = lastingOf(parts, term, start);
  const current = await parts.journal.byId(asked.id);
  // What was refused as a whole is refused there, too, but not what can be done on none of the others.
  const isRefused = current?.state === 'refused' && current.outcome?.code !== 'on_no_appliance';
  if ('code' in lasting || current === undefined || isRefused) return [];
  const made = targetsIn(current).map(({ appliance }) => appliance);
  const { temporary } = lasting;
  const until = endFrom(start?.at ?? parts.now(), temporary);
  const found = resolutions.map(async (resolution): Promise<readonly string[]> => {
    const { appliance, result } = resolution;
    if (!result.ok || made.includes(appliance.name)) return [];
    const wish = { temporary, until, person: asked.person };
    const on = await onAlready(parts, command, wish, madeOn(command, [resolution]));
    if (on === undefined || 'code' in on || (until !== undefined && on.ends >= until)) return [];
    const look = await previewOn(command, result.resolved, parts.contexts.asking(asked, result.resolved));
    return isNothing(look) ? [appliance.name] : [];
  });
  return (await Promise.all(found)).flat();
}
