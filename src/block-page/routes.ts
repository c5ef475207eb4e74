import type { IncomingMessage } from 'node:http';
import type { SiteRequests } from '../action/ask/site-requests.ts';
import type { OpenedRequest } from '../action/requests/request-state.ts';
import type { SelfServicePolicy } from '../auth/asking/self-service.ts';
import { requestCame, requestNotTaken, tooManyRequests } from '../telemetry/events/requests.ts';
import type { Log } from '../telemetry/log.ts';
import { readForm } from './body.ts';
import {
  check,
  choicesWithin,
  type FilledIn,
  isTold,
  readEntered,
  readLinkQuery,
  usualChoice,
} from './form.ts';
import type { PageLimits } from './limits.ts';
import { applianceOf } from './link.ts';
import { type Answer, notice } from './pages/document.ts';
import { type FormPage, formPage } from './pages/form-page.ts';
import { requestPage } from './pages/request-page.ts';
import { createShownForms } from './shown-forms.ts';
import type { Tokens } from './tokens.ts';

/** What the policy lets people ask for. */
type Offered = Pick<SelfServicePolicy, 'appliances' | 'longest' | 'forGood'>;

export interface RouteParts {
  readonly requests: SiteRequests;
  readonly tokens: Tokens;
  /** What the policy says now; undefined where nobody may ask. */
  readonly selfService: () => Offered | undefined;
  readonly timeZone: () => string;
  readonly limits: PageLimits;
  readonly now: () => number;
  readonly log: Log;
}

interface Routes {
  /** The form, opened by the link of a block page. */
  readonly form: (query: string, address: string) => Answer;
  /** The form, sent. @throws when the connection is gone before its end */
  readonly send: (request: IncomingMessage, address: string) => Promise<Answer>;
  /** The form, sent by a page of another site. */
  readonly fromElsewhere: () => Answer;
  /** How a request stands. */
  readonly request: (token: string, query: string) => Promise<Answer>;
}

/** So many forms that were sent are remembered. */
const mostSent = 2_000;

export function createRoutes(parts: RouteParts): Routes {
  const { requests, tokens, selfService, timeZone, limits, now, log } = parts;
  const forms = createShownForms(tokens, now);
  /** What became of a form, by its nonce and what was entered: sent twice, it is one request; sent with something else, another one. */
  const sent = new Map<string, Promise<Answer>>();

  /** What may be asked for by the link of this appliance. */
  const offeredBy = (appliance: string): Offered | undefined => {
    const policy = selfService();
    return policy?.appliances.includes(appliance) ? policy : undefined;
  };

  /** The form again, with all that was typed, and why it was not sent. */
  const again =
    (form: Omit<FormPage, 'token'>, appliance: string) =>
    (status: number, more: Pick<FormPage, 'notSent' | 'problems'>, headers = {}): Answer => ({
      status,
      page: formPage({ ...form, ...more, token: forms.show(appliance) }),
      headers,
      isKnown: true,
    });

  return {
    form: (query, address) => {
      const { link, user, site } = readLinkQuery(query);
      const appliance = applianceOf(tokens, link);
      const policy = appliance === undefined ? undefined : offeredBy(appliance);
      if (appliance === undefined || policy === undefined) return notOurs;
      const choices = choicesWithin(policy);
      const name = isTold(user) ? user : '';
      const entered = { site, suffix: '', name, reason: '', lasts: usualChoice(choices), user };
      const page = formPage({ entered, choices, address, token: forms.show(appliance) });
      return { status: 200, page, isKnown: true };
    },
    send: async (request, address) => {
      const read = await readForm(request);
      if (typeof read === 'number') return { status: read, page: notRead, isKnown: false };
      const form = forms.read(read.get('form') ?? '');
      const policy = form && offeredBy(form.appliance);
      if (form === undefined || policy === undefined) return notOurs;
      const entered = readEntered(read);
      const key = JSON.stringify([form.nonce, entered]);
      const before = sent.get(key);
      if (before !== undefined) return before;
      const choices = choicesWithin(policy);
      const notSent = again({ entered, choices, address }, form.appliance);
      if (!form.isFresh) return notSent(422, { notSent: tooOld });
      const checked = check(entered, choices);
      if (!checked.ok) return notSent(422, { problems: checked.problems });
      const opening = open(checked.form, address, notSent);
      sent.set(key, opening);
      for (const [oldest] of sent) {
        if (sent.size <= mostSent) break;
        sent.delete(oldest);
      }
      const answer = await opening;
      // What was not taken can be sent again.
      if (answer.status !== 303) sent.delete(key);
      return answer;
    },
    fromElsewhere: () => notOurs,
    request: async (token, query) => {
      const [id, wish] = tokens.read('request', token)?.split(' ') ?? [];
      const state =
        id === undefined
          ? undefined
          : await requests.stateOf(id, wish === undefined ? undefined : Number(wish));
      if (state === undefined) return noRequest;
      const said = new URLSearchParams(query);
      const joined = said.has('again') ? 'again' : said.has('joined') ? 'joined' : undefined;
      return requestPage(state, { token, isStill: said.has('still'), joined, timeZone: timeZone() });
    },
  };

  async function open(
    { site, name: said, reason, lasts, user }: FilledIn,
    address: string,
    notSent: ReturnType<typeof again>,
  ): Promise<Answer> {
    const tooMany = (wait: number | undefined, why: string): Answer => {
      log.tell(tooManyRequests, { from: address });
      const when = wait === undefined ? '' : ` Try again ${inTime(wait)}.`;
      const header = wait !== undefined && { 'retry-after': String(Math.ceil(wait / 1_000)) };
      return notSent(429, { notSent: `${why}${when}` }, { ...header });
    };
    const wait = limits.form(address, site);
    if (wait > 0) return tooMany(wait, 'There were many requests lately.');
    let opened: OpenedRequest;
    try {
      opened = await requests.open({
        ...{ site, lasts, reason },
        from: { kind: 'block_page', said, user, address },
      });
    } catch (error) {
      log.tell(requestNotTaken, { err: error });
      return notSent(503, { notSent: notNow });
    }
    switch (opened.kind) {
      case 'opened':
      case 'allowed':
      case 'joined': {
        const { request } = opened;
        const { id } = request;
        // The same form once more, which this replica has not seen, is the same request.
        const isSame = request.reason === reason && request.lasts === lasts;
        const own = isSame ? '' : '?again';
        const joined = opened.kind !== 'joined' ? '' : opened.isOwn ? own : '?joined';
        const key = request.joinedAt === undefined ? id : `${id} ${request.joinedAt}`;
        log.tell(requestCame, { request: id, from: address });
        return {
          status: 303,
          headers: { location: `/ask/${tokens.sign('request', key)}${joined}` },
          isKnown: true,
        };
      }
      case 'too_many':
        return tooMany(
          opened.again === undefined ? undefined : opened.again - now(),
          'You have asked for several websites already, and no more can be taken now.',
        );
      case 'inside':
        return notSent(422, {
          problems: { site: 'Only websites on the Internet can be asked for. Tell your IT support.' },
        });
      case 'denied':
        return notSent(422, { notSent: 'This website cannot be asked for here. Tell your IT support.' });
    }
  }
}

const openAgain =
  'Open the blocked website again, and use the link on the page that says that it is blocked.';

const tooOld = 'This page was open for more than an hour. Look through your request and send it again.';

const notNow = 'Requests cannot be taken at the moment. Yours was not sent. Try again in a few minutes.';

const notOurs: Answer = {
  status: 403,
  page: notice('This link no longer works', openAgain, 'If that does not help, tell your IT support.'),
  isKnown: false,
};

const notRead = notice('Your request was not sent', openAgain);

const noRequest: Answer = {
  status: 404,
  page: notice(
    'There is no such request',
    'The address of a request has to be complete, letter by letter. To ask again, open the blocked website.',
  ),
  isKnown: false,
};

function inTime(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / 60_000));
  if (minutes > 90) return `in ${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
