import { person, say } from '../../handlers/reply.ts';
import type { Journal, ToSend, Unsent } from '../../journal/journal.ts';
import { requestIn, requestToKeep } from '../requests/site-request.ts';
import { siteInWords, untoldInWords } from '../requests/words.ts';
import { contentOf, drawRequestCard, notifyDecider } from '../showing/messages.ts';

/**
 * Slack refuses what somebody who has asked for a site would be told in person: whoever has decided learns it, and the card says it. Resolves to
 * what is to be sent, once it is written down.
 */
export type NotTold = (unsent: Unsent, code: string) => Promise<readonly ToSend[]>;

export function createNotTold(journal: Pick<Journal, 'siteRequest' | 'joinSiteRequest'>): NotTold {
  return async (unsent, code) => {
    const about = contentOf(unsent);
    if (about?.kind !== 'post' || about.request === undefined) return [];
    for (;;) {
      const row = await journal.siteRequest(about.request);
      const content = row && requestIn(row);
      if (row === undefined || content === undefined) return [];
      const { untold = [], allowed, ending } = content;
      // Once is enough: whoever is told of it tells them all.
      if (untold.some((one) => one.person === about.channel)) return [];
      const one = { person: about.channel, why: code };
      const decider = ending?.by ?? allowed?.by;
      const headline = say`You decided on ${siteInWords(row.site)} for ${person(one.person)}. ${untoldInWords([one])}`;
      const messages = [
        ...(row.card === undefined ? [] : [drawRequestCard(row.id)]),
        ...(decider === undefined ? [] : [notifyDecider(decider, { headline }, row.id)]),
      ];
      const kept = requestToKeep({ ...content, untold: [...untold, one] });
      if ((await journal.joinSiteRequest(row, { content: kept, messages })) !== undefined) return messages;
    }
  };
}
