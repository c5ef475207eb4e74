import type { SiteRequestRow } from '../../journal/journal.ts';
import type { SiteRequestChange } from '../../journal/requests/site-requests.ts';
import type { Parts } from '../ground/ground.ts';
import type { Delivered } from '../outbox/delivered.ts';
import {
  requestIn,
  requestToKeep,
  type SiteRequest,
  type SiteRequestContent,
} from '../requests/site-request.ts';

/**
 * Moves a request on and tells what there is to tell. Undefined when somebody else has moved it on before; who has joined it meanwhile
 * stays.
 */
export type MoveRequest = (
  row: SiteRequestRow,
  content: SiteRequestContent,
  change: Omit<SiteRequestChange, 'content' | 'messages'> & {
    readonly messages?: (request: SiteRequest) => NonNullable<SiteRequestChange['messages']>;
  },
) => Promise<(SiteRequest & { readonly delivered: Delivered }) | undefined>;

export function createMoveRequest({ journal, outbox }: Pick<Parts, 'journal' | 'outbox'>): MoveRequest {
  return async (first, wanted, { messages: told = () => [], ...change }) => {
    for (let row = first, content = wanted; ; ) {
      const state = change.state ?? row.state;
      const messages = told({ row: { ...row, state }, content });
      const changed = await journal.changeSiteRequest(row, {
        ...change,
        content: requestToKeep(content),
        messages,
      });
      if (changed !== undefined) return { row: changed, content, delivered: await outbox.deliver(messages) };
      const current = await journal.siteRequest(first.id);
      if (current === undefined || current.state !== first.state) return undefined;
      content = { ...wanted, joined: requestIn(current)?.joined ?? wanted.joined };
      row = current;
    }
  };
}
