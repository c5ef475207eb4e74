import type { RequestState } from '../../action/requests/request-state.ts';
import { showDomain } from '../../handlers/language/domain.ts';
import { readableText } from '../../handlers/text.ts';
import { durationInWords } from '../form.ts';
import type { Answer, Page } from './document.ts';
import { type Html, html } from './html.ts';

interface Shown {
  readonly token: string;
  /** The person has stopped its updates. */
  readonly isStill: boolean;
  /** The website was asked for already, by others or (`again`) by themselves. */
  readonly joined: 'joined' | 'again' | undefined;
  readonly timeZone: string;
}

/** How a request stands, in words. */
interface Words {
  readonly headline: string;
  readonly look?: 'good' | 'bad';
  readonly sentences: readonly string[];
  /** In how many seconds it may stand differently; absent where it is over. */
  readonly again?: number;
}

/** What the page says; and it asks again by itself as long as something may still happen. */
export function requestPage(request: RequestState, { token, isStill, joined, timeZone }: Shown): Answer {
  const site = showDomain(request.site);
  const moment = (at: number) => when(at, timeZone);
  const { headline, look, sentences, again } = wordsFor(request, site, moment);
  const content = html`<h1${look && html` class="${look}"`}>${headline}</h1>
<div role="status">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>
${joined && html`<p>${joinedInWords[joined]}</p>`}
<dl>
<dt>Website</dt><dd>${site}</dd>
<dt>Asked</dt><dd>${moment(request.askedAt)}</dd>
<dt>For</dt><dd>${durationInWords(request.lasts)}</dd>
</dl>
${again === undefined ? undefined : updates(token, isStill, joined)}`;
  return {
    status: 200,
    page: { title: `${headline} – ${site}`, content } satisfies Page,
    // The header does what a `meta` element would do. The link above it turns it off, as people need who read slowly
    // (WCAG 2.2.1), or who are read to from its top again and again.
    headers: again === undefined || isStill ? {} : { refresh: String(again) },
    isKnown: true,
  };
}

const joinedInWords = {
  joined:
    'Somebody had asked for this website already, so you were added to that request. Your reason stands beside theirs; the longest time counts for those who decide.',
  again:
    'You had asked for this website already. That request stays as it is: the time and the reason that you gave now are not part of it.',
} as const;

const updates = (token: string, isStill: boolean, joined: Shown['joined']): Html =>
  isStill
    ? html`<p class="small">This page does not update itself. <a href="/ask/${token}${joined && `?${joined}`}">Show how it stands now</a></p>`
    : html`<p class="small">This page updates itself. You can close it, and open its address again later. <a href="/ask/${token}?${joined && `${joined}&`}still">Stop updating</a></p>`;

function wordsFor(request: RequestState, site: string, moment: (at: number) => string): Words {
  const { state, until, expiresAt, because } = request;
  switch (state) {
    case 'checking':
      return {
        headline: 'Your request was sent',
        sentences: [`First it is checked whether ${site} is really blocked.`],
        again: 5,
      };
    case 'open':
      return {
        headline: 'Your request was sent',
        sentences: [`It waits for somebody who may decide it, until ${moment(expiresAt)} at the latest.`],
        again: 10,
      };
    case 'approving':
      return {
        headline: 'Your request waits for an approval',
        sentences: [`Somebody wants to allow ${site}, and somebody else has to approve that.`],
        again: 10,
      };
    case 'allowing':
      return {
        headline: 'Allowed, almost ready',
        look: 'good',
        sentences: [`Your request was granted. ${site} is being allowed, which takes a minute or two.`],
        again: 5,
      };
    case 'works':
      return {
        headline: 'Allowed',
        look: 'good',
        sentences: [
          `You can open ${site}${until === undefined ? '' : ` until ${moment(until)}`}.`,
          'We checked that it works. Load the page of the website again.',
        ],
        ...(until !== undefined && { again: 60 }),
      };
    case 'not_working':
      return {
        headline: 'Allowed, but still blocked',
        look: 'bad',
        sentences: [
          `Your request was granted, but ${site} is still blocked. The people who look after web access know it.`,
        ],
        again: 30,
      };
    case 'not_known':
      return {
        headline: 'Allowed, but not checked',
        sentences: [
          `Your request was granted${until === undefined ? '' : `, until ${moment(until)}`}. It could not be checked that ${site} works: try it.`,
        ],
        again: 60,
      };
    case 'ending':
      return {
        headline: 'The time is over',
        sentences: [`${site} was allowed for a time, and that is over. It may still open for a while.`],
        again: 60,
      };
    case 'not_blocked':
      return {
        headline: 'This website is not blocked',
        look: 'good',
        sentences: [
          `Nothing blocks ${site} at the moment, so nobody has to decide. Load the page of the website again.`,
          'If it does not open, tell your IT support.',
        ],
      };
    case 'not_found':
      return {
        headline: 'No such website was found',
        look: 'bad',
        sentences: [
          `There is no website ${site} on the Internet, as far as can be seen here. Check how it is written.`,
          'If it is right, tell your IT support.',
        ],
      };
    case 'not_askable':
      return {
        headline: 'This website cannot be asked for',
        look: 'bad',
        sentences: [
          `${site} belongs to those that are not allowed here on request.`,
          'If you need it for your work, tell your IT support.',
        ],
      };
    case 'denied':
      return {
        headline: 'Not allowed',
        look: 'bad',
        sentences: [
          `Your request for ${site} was denied.`,
          ...(because === undefined ? [] : [`Reason: ${readableText(because)}`]),
        ],
      };
    case 'expired':
      return {
        headline: 'Nobody decided in time',
        look: 'bad',
        sentences: ['Your request has expired. To ask again, open the blocked website.'],
      };
    case 'withdrawn':
      return {
        headline: 'The request was withdrawn',
        sentences: ['Nobody has to decide it any more. To ask again, open the blocked website.'],
      };
    case 'over':
      return {
        headline: 'No longer allowed',
        sentences: [`${site} was allowed, and that is over. To ask again, open the blocked website.`],
      };
    case 'not_posted':
      return {
        headline: 'Your request did not arrive',
        look: 'bad',
        sentences: ['It could not be put before those who decide. Tell your IT support.'],
      };
  }
}

/** In the time zone of the policy, which is where people are. */
const when = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
