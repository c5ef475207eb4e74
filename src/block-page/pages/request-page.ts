import type { RequestState } from '../../action/ask/request-state.ts';
import { showDomain } from '../../handlers/language/domain.ts';
import { durationInWords } from '../ask-form.ts';
import { type Answer, type Html, html, type Page } from './document.ts';

interface Shown {
  readonly token: string;
  /** The person has stopped the updates. */
  readonly isStill: boolean;
  /** The website was requested before, by others or (`again`) by the same person. */
  readonly joined: 'joined' | 'again' | undefined;
  readonly timeZone: string;
}

interface Words {
  readonly headline: string;
  readonly look?: 'good' | 'bad';
  readonly sentences: readonly string[];
  /** Seconds until the state may change; absent when it is final. */
  readonly again?: number;
}

/** The page of a request. It reloads while something may still happen. */
export function requestPage(state: RequestState, { token, isStill, joined, timeZone }: Shown): Answer {
  const site = showDomain(state.request.site);
  const moment = (at: number) => when(at, timeZone);
  const { headline, look, sentences, again } = wordsFor(state, site, moment);
  const content = html`<h1${look && html` class="${look}"`}>${headline}</h1>
<div role="status">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>
${joined && html`<p>${joinedInWords[joined]}</p>`}
<dl>
<dt>Website</dt><dd>${site}</dd>
<dt>Asked</dt><dd>${moment(state.wish.at)}</dd>
<dt>For</dt><dd>${durationInWords(state.wish.lasts)}</dd>
</dl>
${again === undefined ? undefined : updates(token, isStill, joined)}`;
  return {
    status: 200,
    page: { title: `${headline} – ${site}`, content } satisfies Page,
    // Replaces a `meta` refresh. A link turns it off for people who read slowly (WCAG 2.2.1) or use a screen
    // reader that starts again with each reload.
    headers: again === undefined || isStill ? {} : { refresh: String(again) },
    isKnown: true,
  };
}

const joinedInWords = {
  joined:
    'Somebody had already requested this website, so you were added to that request. Those who decide see both reasons. The time is that of the first one.',
  again:
    'You had already requested this website. That request was not changed: it does not have the time and the reason that you entered now.',
} as const;

const updates = (token: string, isStill: boolean, joined: Shown['joined']): Html =>
  isStill
    ? html`<p class="small">This page does not update itself. <a href="/ask/${token}${joined && `?${joined}`}">Show the current state</a></p>`
    : html`<p class="small">This page updates itself. You can close it, and open its address again later. <a href="/ask/${token}?${joined && `${joined}&`}still">Stop updating</a></p>`;

function wordsFor(request: RequestState, site: string, moment: (at: number) => string): Words {
  const { state, until, expiresAt, because } = request;
  switch (state) {
    case 'checking':
      return {
        headline: 'Your request was sent',
        sentences: [`First, the bot checks whether ${site} is really blocked.`],
        again: 5,
      };
    case 'open':
      return {
        headline: 'Your request was sent',
        sentences:
          expiresAt === undefined ? [] : [`The people who may decide have until ${moment(expiresAt)}.`],
        again: 10,
      };
    case 'allowing':
      return {
        headline: 'Allowed, almost ready',
        look: 'good',
        sentences: [`Your request was granted. ${site} is being allowed, which takes a minute or two.`],
        again: 5,
      };
    case 'allowed':
      return {
        headline: 'Allowed',
        look: 'good',
        sentences: [
          `You can open ${site}${until === undefined ? '' : ` until ${moment(until)}`}.`,
          'Load the page of the website again. If it is still blocked in a few minutes, tell your IT support.',
        ],
        ...(until !== undefined && { again: 60 }),
      };
    case 'not_known':
      return {
        headline: 'Allowed, but not checked',
        sentences: [`Your request was granted. We could not check whether ${site} is allowed. Try it.`],
        again: 60,
      };
    case 'in_part':
      return {
        headline: 'Allowed in part',
        sentences: [
          `Your request was granted, but ${site} could be allowed in parts of the network only. Try it.`,
        ],
      };
    case 'failed':
      return {
        headline: 'Not allowed',
        look: 'bad',
        sentences: [
          `Your request was granted, but ${site} could not be allowed. To ask again, open the blocked website.`,
        ],
      };
    case 'ending':
      return {
        headline: 'The time is over',
        sentences: [`The time for which ${site} was allowed is over. It may still open for a while.`],
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
          `We found no website ${site} on the Internet. Check the spelling.`,
          'If it is spelled correctly, tell your IT support.',
        ],
      };
    case 'not_askable':
      return {
        headline: 'This website cannot be requested',
        look: 'bad',
        sentences: [
          `${site} is a website that is not allowed on request.`,
          'If you need it for your work, tell your IT support.',
        ],
      };
    case 'denied':
      return {
        headline: 'Not allowed',
        look: 'bad',
        sentences: [
          `Your request for ${site} was denied.`,
          ...(because === undefined ? [] : [`Reason: ${because}`]),
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
        sentences: ['No decision is needed any more. To ask again, open the blocked website.'],
      };
    case 'over':
      return {
        headline: 'No longer allowed',
        sentences: [
          `The time for which ${site} was allowed is over. To ask again, open the blocked website.`,
        ],
      };
    case 'not_taken':
      return {
        headline: 'Your request did not arrive',
        look: 'bad',
        sentences: [
          'It could not be sent to the people who decide. Try again in a few minutes. If that does not help, tell your IT support.',
        ],
      };
  }
}

/** In the policy's time zone, which is where people are. */
const when = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
