import type { Action } from '../../journal/journal.ts';
import { requestToStore, siteRequestOf, wishOf, withoutAsker } from '../base/site-request.ts';
import type { Parts } from '../ground/ground.ts';
import { drawCard } from '../showing/messages.ts';

/**
 * Somebody who has asked for a site does not want it any more. `last`: nobody else does, so that there is nothing left to decide. `gone`: it
 * is decided by now.
 */
export async function leaveRequest(
  { journal, outbox }: Pick<Parts, 'journal' | 'outbox'>,
  given: Action,
  person: string,
): Promise<'left' | 'last' | 'gone'> {
  for (let action: Action | undefined = given; ; action = await journal.byId(given.id)) {
    const request = action && siteRequestOf(action);
    const isOpen = action?.state === 'asked' || action?.state === 'waiting';
    if (action === undefined || request === undefined || !isOpen || wishOf(request, person) === undefined)
      return 'gone';
    const without = withoutAsker(request, person);
    if (without === undefined) return 'last';
    const messages = action.card === undefined ? [] : [drawCard(action, action.state)];
    if (!(await journal.changeRequest(action, requestToStore(without), messages))) continue;
    await outbox.deliver(messages);
    return 'left';
  }
}
