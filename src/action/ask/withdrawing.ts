import { type Acted, enumerate, type Reply, say } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { SiteRequestRow } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import {
  requestIn,
  requestToKeep,
  type SiteRequest,
  type SiteWish,
  wishesOf,
} from '../requests/site-request.ts';
import { siteInWords } from '../requests/words.ts';
import { toldOf } from './telling.ts';

/** Takes back what somebody has asked for, as long as nobody has decided; of several who asked for a site, theirs alone. */
export type WithdrawRequests = (person: string, sites: readonly string[]) => Promise<Acted>;

export function createWithdrawing({ journal, outbox, now }: Pick<Parts, 'journal' | 'outbox' | 'now'>) {
  const withdraw: WithdrawRequests = async (person, sites) => {
    const all: Acted[] = [];
    for (const site of new Set(sites)) all.push(await withdrawOne(person, site));
    const [only] = all;
    if (only !== undefined && all.length === 1) return only;
    return {
      ...(all.some(({ changed }) => changed) && { changed: true }),
      headline: say`${enumerate([...new Set(sites)].map(siteInWords))}:`,
      details: [{ kind: 'list', items: all.map((one) => one.headline) }],
    };
  };
  return withdraw;

  async function withdrawOne(person: string, site: string): Promise<Acted> {
    const mine = (await journal.siteRequestsOf(person)).filter((row) => row.site === site);
    const undecided = mine.find(({ state }) => state === 'checking' || state === 'open');
    for (let row: SiteRequestRow | undefined = undecided; row !== undefined; ) {
      const content = requestIn(row);
      const isUndecided = row.state === 'checking' || row.state === 'open';
      if (content === undefined || !isUndecided) break;
      const left = wishesOf({ row, content }).filter(
        ({ from }) => from.kind !== 'slack' || from.person !== person,
      );
      if (await leave({ row, content }, person, left))
        return {
          changed: true,
          headline:
            left.length === 0
              ? say`Withdrawn: your request for ${siteInWords(site)}. Nobody has to decide it any more.`
              : say`Withdrawn: your request for ${siteInWords(site)}. Others asked for it, too, and theirs stays open.`,
        };
      row = await journal.siteRequest(row.id);
    }
    return { headline: whyNot(site, mine) };
  }

  /** Undefined where somebody else has changed it before. */
  async function leave({ row, content }: SiteRequest, by: string, left: readonly SiteWish[]) {
    const [first, ...others] = left;
    const after =
      first === undefined
        ? { ...content, ending: { kind: 'withdrawn', at: now(), by, says: [] } as const }
        : {
            ...content,
            ...{ from: first.from, wantedUntil: first.until },
            joined: others.flatMap(({ at, ...one }) => (at === undefined ? [] : [{ ...one, at }])),
          };
    const messages = toldOf(
      { row: { ...row, ...(first === undefined && { state: 'closed' }) }, content: after },
      undefined,
    );
    const changed = await journal.changeSiteRequest(row, {
      ...{ content: requestToKeep(after), messages },
      ...(first === undefined
        ? { state: 'closed' }
        : {
            // Another time is looked at; what is being checked goes on.
            nextAt: row.state === 'open' ? now() : row.nextAt,
            first: { person: personOf(first), lasts: first.lasts, reason: first.reason },
          }),
    });
    if (changed !== undefined) await outbox.deliver(messages);
    return changed;
  }

  function whyNot(site: string, mine: readonly SiteRequestRow[]): Reply['headline'] {
    const row = mine.at(-1);
    const until = row === undefined ? undefined : requestIn(row)?.until;
    if (row === undefined || row.state === 'closed')
      return say`You have no open request for ${siteInWords(site)}, so nothing was withdrawn.`;
    return row.state === 'allowed'
      ? say`${siteInWords(site)} is allowed already${until === undefined ? '' : say`, until ${when(until, now())}`}, so there is nothing to withdraw. Those who allowed it can end it.`
      : say`${siteInWords(site)} is being allowed right now, so your request can’t be withdrawn any more.`;
  }
}

const personOf = ({ from }: SiteWish): string | undefined =>
  from.kind === 'slack' ? from.person : undefined;
