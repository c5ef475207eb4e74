import type { AnyChange } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import type { Shown } from '../base/stored.ts';
import type { Gathering } from '../change/supervision.ts';
import type { Fault } from '../wording/faults.ts';

/** What is planned and gathers several lines, looked at once more: each of its lines is. */
export async function lookAtAll(
  gathering: Gathering,
  action: Action,
  command: AnyChange,
  before: Shown,
): Promise<{ readonly fault: Fault } | { readonly shown: Shown; readonly isSame: boolean }> {
  const looked = await gathering.lookAgain(action, command);
  if ('code' in looked) return { fault: looked };
  return looked.kind === 'same' ? { shown: before, isSame: true } : { shown: looked.shown, isSame: false };
}
