import { itself } from '../../caller.ts';
import { showDomain } from '../../handlers/language/domain.ts';
import { plainText, type Text } from '../../handlers/reply.ts';
import type { NewAction, SiteRequestRow } from '../../journal/journal.ts';
import type { SiteRequestChange } from '../../journal/requests/site-requests.ts';
import { askPhrase } from '../authority/ways.ts';
import type { Parts } from '../ground/ground.ts';
import type { Delivered } from '../outbox/delivered.ts';
import {
  requestIn,
  requestToKeep,
  type SiteRequest,
  type SiteRequestContent,
} from '../requests/site-request.ts';
import { standingOf } from '../requests/words.ts';

/**
 * Moves a request on and tells what there is to tell. Undefined when somebody else has moved it on before; who has joined it meanwhile
 * stays.
 */
export type MoveRequest = (
  row: SiteRequestRow,
  content: SiteRequestContent,
  change: Omit<SiteRequestChange, 'content' | 'messages'> & {
    /** Nobody waits for it, so that no record of an answer says how it ended: whoever asked may have been cut off before that was written. */
    readonly isByItself?: boolean;
    readonly messages?: (request: SiteRequest) => NonNullable<SiteRequestChange['messages']>;
  },
) => Promise<(SiteRequest & { readonly delivered: Delivered }) | undefined>;

export function createMoveRequest({
  journal,
  outbox,
  now,
}: Pick<Parts, 'journal' | 'outbox' | 'now'>): MoveRequest {
  return async (first, wanted, { messages: told = () => [], isByItself = false, ...change }) => {
    for (let row = first, content = wanted; ; ) {
      const state = change.state ?? row.state;
      const messages = told({ row: { ...row, state }, content });
      const changed = await journal.changeSiteRequest(row, {
        ...change,
        content: requestToKeep(content),
        messages,
      });
      if (changed !== undefined) {
        const moved = { row: changed, content };
        const record = recordOf(first, moved, now(), isByItself);
        if (record !== undefined) await journal.write(record);
        return { ...moved, delivered: await outbox.deliver(messages) };
      }
      const current = await journal.siteRequest(first.id);
      if (current === undefined || current.state !== first.state) return undefined;
      const { from, wantedUntil, joined, untold } = requestIn(current) ?? wanted;
      content = { ...wanted, from, wantedUntil, joined, untold };
      row = current;
    }
  };
}

/** Who has brought it about. */
const peopleIn = (words: Text): readonly string[] =>
  words.flatMap((span) => (typeof span !== 'string' && span.kind === 'person' ? [span.id] : []));

/** What the bot does with a request by itself is recorded, too: whether what was allowed works, and how what nobody has decided ended. */
function recordOf(
  before: SiteRequestRow,
  request: SiteRequest,
  now: number,
  isByItself: boolean,
): NewAction | undefined {
  const { row, content } = request;
  const { team, channel, site, appliances } = row;
  const isSeen = row.state === 'allowed' && before.state === 'verifying';
  // What was denied, and what needed no decision, stands in the record of whoever did that.
  const isOver =
    row.state === 'closed' && content.ending?.kind !== 'denied' && (isByItself || row.card !== undefined);
  if (!isSeen && !isOver) return undefined;
  const code = isSeen ? (content.works?.is ? 'request_works' : 'request_not_working') : 'request_over';
  return {
    ...{ team, channel, person: itself.person, phrase: askPhrase, state: 'done' },
    ...{ line: `(The request for ${showDomain(site)})`, appliance: appliances.join(',') },
    outcome: { code, says: plainText(standingOf(request, now)) },
    decidedBy: isOver ? peopleIn(content.ending?.says ?? [])[0] : undefined,
  };
}
