import type { Action } from '../../journal/journal.ts';
import type { Authority } from '../authority/authority.ts';
import { siteRequestOf, slackAskers } from '../base/site-request.ts';

/** Whether somebody wants that site themselves. Whoever has joined wants it as well, and another account of the same human is no other. */
export async function isOwnRequest(
  { authority }: { readonly authority: Pick<Authority, 'identify'> },
  person: string,
  action: Pick<Action, 'request' | 'channel'>,
): Promise<boolean> {
  const request = siteRequestOf(action);
  const askers = request === undefined ? [] : slackAskers(request);
  if (askers.length === 0 || askers.includes(person)) return askers.length > 0;
  const [mine, ...theirs] = await Promise.all(
    [person, ...askers].map((one) => authority.identify(one, action.channel)),
  );
  return (
    mine !== undefined && 'human' in mine && theirs.some((one) => 'human' in one && one.human === mine.human)
  );
}
