import { say } from '../../handlers/reply.ts';
import { ownRequests } from '../ask/own-requests.ts';
import type { Parts } from '../ground/ground.ts';
import { siteInWords, timeInWords } from '../showing/site-request.ts';
import { heading, item, rest, type Section } from './section.ts';

/** So many have room. */
const most = 8;

/** Sites that somebody asks for, which takes no role. */
export async function siteSections(parts: Parts, person: string): Promise<readonly Section[]> {
  const title = 'Your requests for sites';
  const own = await ownRequests(parts, person);
  if (own.length === 0) return [];
  return [
    {
      key: [title, ...own.map(({ id, state, until }) => [id, state, until])],
      parts: async () => [
        heading(title),
        ...own
          .slice(0, most)
          .flatMap(({ request, wish, says }) =>
            item(say`${siteInWords(request.site)} ${timeInWords(wish, parts.now())}`, says),
          ),
        ...rest(own.length, most),
      ],
    },
  ];
}
