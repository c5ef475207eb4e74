import { isApplianceFailure } from '../../api/index.ts';
import type { Action } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import { createLookAtUndo } from './undo-look.ts';
import { type Undone, undoneBy } from './wishes.ts';

export type NamingParts = Pick<Parts, 'appliances' | 'contexts' | 'match'>;

/**
 * What a line takes back of what has no end: what its words are called is seen on the appliance, where people call it otherwise. Of what
 * is temporary it is known since it was made.
 */
export async function undoneNow(
  parts: NamingParts,
  line: string | undefined,
  appliance: string,
  action: Action,
): Promise<Undone | undefined> {
  const { appliances, match } = parts;
  const found = line === undefined ? undefined : match(line);
  const command = found?.kind === 'command' && found.command.kind === 'change' ? found.command : undefined;
  const on = appliances.get(appliance);
  if (on === undefined || (command?.called ?? command?.fields) === undefined)
    return undoneBy(match, { undoLine: line });
  try {
    const look = await createLookAtUndo(parts)(line, on, action);
    return undoneBy(match, { undoLine: line, ...(look.kind === 'lasts' && { left: look.fingerprint }) });
  } catch (error) {
    // What takes it back is looked at again before anything is sent, and then fails for that.
    if (isApplianceFailure(error)) return undoneBy(match, { undoLine: line });
    throw error;
  }
}
