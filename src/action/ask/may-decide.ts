import { type Reply, say } from '../../handlers/reply.ts';
import { unresolved } from '../authority/asked-of.ts';
import type { AskedFor } from '../authority/authority.ts';
import { addPhrase } from '../authority/ways.ts';
import type { Press } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { askersOf, type SiteRequest } from '../requests/site-request.ts';
import type { Fault } from '../wording/faults.ts';

/** Why somebody may not decide a request, if they may not: whoever may do what Allow does may, but not on what they want themselves. */
export type BarToDecide = (
  by: Pick<Press, 'person' | 'channel'>,
  request: SiteRequest,
  access?: 'run' | 'approve',
) => Promise<Reply | Fault | undefined>;

export function createBarToDecide({
  authority,
  commandByPhrase,
}: Pick<Parts, 'authority' | 'commandByPhrase'>): BarToDecide {
  return async (by, request, access = 'approve') => {
    const own = await ownRequest(by, request);
    if (own !== undefined) return own;
    const decision = await authority.decide({
      ...{ person: by.person, channel: by.channel, access },
      ...allowing(request),
    });
    return decision.allow ? undefined : authority.fault(decision.denial, by.channel);
  };

  /** Whoever has joined wants it as well. Another account of the same human is no other. */
  async function ownRequest(
    { person, channel }: Pick<Press, 'person' | 'channel'>,
    { content }: SiteRequest,
  ): Promise<Reply | undefined> {
    if (authority.policy().selfService?.requester === true) return undefined;
    const askers = askersOf(content).flatMap((one) => (one.kind === 'slack' ? [one.person] : []));
    if (askers.length === 0) return undefined;
    const identities = [person, ...askers].map((one) => authority.identify(one, channel));
    const [mine, ...theirs] = await Promise.all(identities);
    const isHuman = (one: typeof mine) =>
      mine !== undefined &&
      one !== undefined &&
      'human' in mine &&
      'human' in one &&
      mine.human === one.human;
    return askers.includes(person) || theirs.some(isHuman)
      ? { headline: say`You asked for this yourself, so somebody else decides. Your click did nothing.` }
      : undefined;
  }

  function allowing({ row }: SiteRequest): AskedFor {
    const command = commandByPhrase.get(addPhrase);
    if (command === undefined) throw new Error(`There is no command ${addPhrase}`);
    const category = authority.policy().selfService?.allowCategory;
    const args = category === undefined ? 'any' : unresolved(command, { site: [row.site], category });
    return { command, args, appliances: row.appliances, lasts: 'any' };
  }
}
