import { say } from '../../handlers/reply.ts';
import type { Deciding } from '../ask/deciding.ts';
import type { SaidPart } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { requestButtons } from '../requests/card.ts';
import { requestsIn, type SiteRequest, wishOf } from '../requests/site-request.ts';
import {
  askerInWords,
  findingsInWords,
  requestInWords,
  siteInWords,
  standingForAsker,
  timeInWords,
} from '../requests/words.ts';
import { heading, item, rest, type Section } from './section.ts';

export interface SiteParts extends Parts {
  readonly selfService: Pick<Deciding, 'bar'>;
}

/** Those that wait there for a decision that is theirs to take. */
export async function sitesToDecide(
  { journal, selfService }: SiteParts,
  person: string,
  channels: readonly string[],
): Promise<readonly SiteRequest[]> {
  const open = requestsIn(await journal.siteRequestsIn(channels)).filter(({ row }) => row.state === 'open');
  const bars = await Promise.all(
    open.map((one) => selfService.bar({ person, channel: one.row.channel }, one)),
  );
  return open.filter((_, index) => bars[index] === undefined);
}

/** Sites that somebody asks for, and that they may decide on. Whoever asks needs no role. */
export async function siteSections(
  parts: SiteParts,
  person: string,
  toDecide: readonly SiteRequest[],
  most = 8,
): Promise<readonly Section[]> {
  const { journal, authority, now } = parts;
  const own = await journal.siteRequestsOf(person);
  const terms = { selfService: () => authority.policy().selfService, now };
  return [
    ...section('Sites that people ask for', toDecide, most, (one) => [
      ...item(
        say`${requestInWords(one, now())}`,
        say`${askerInWords(one.content.from)}: ${one.row.reason}. ${findingsInWords(one.content)}`,
      ),
      { kind: 'buttons', buttons: requestButtons(one, terms) },
    ]),
    ...section('Your requests for sites', requestsIn(own), most, (one) => [
      ...item(
        say`${siteInWords(one.row.site)} ${timeInWords(wishOf(one, person), now())}`,
        standingForAsker(one, now()),
      ),
    ]),
  ];
}

function section(
  title: string,
  requests: readonly SiteRequest[],
  most: number,
  drawn: (request: SiteRequest) => readonly SaidPart[],
): readonly Section[] {
  if (requests.length === 0) return [];
  return [
    {
      key: [title, ...requests.map(({ row }) => [row.id, row.revision])],
      parts: async () => [
        heading(title),
        ...requests.slice(0, most).flatMap(drawn),
        ...rest(requests.length, most),
      ],
    },
  ];
}
