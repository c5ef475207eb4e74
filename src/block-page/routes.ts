import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { OpenedRequest } from '../action/ask/request-state.ts';
import type { SiteRequests } from '../action/ask/site-requests.ts';
import type { SelfServicePolicy } from '../auth/asking/self-service.ts';
import { requestCame, requestNotTaken, tooManyRequests } from '../telemetry/events/requests.ts';
import type { Log } from '../telemetry/log.ts';
import {
  check,
  choicesWithin,
  type FilledIn,
  isTold,
  readEntered,
  readLinkQuery,
  usualChoice,
} from './ask-form.ts';
import { applianceOf } from './link.ts';
import type { PageLimits } from './page-limits.ts';
import type { Tokens } from './page-tokens.ts';
import { type Answer, notice } from './pages/document.ts';
import { type FormPage, formPage } from './pages/form-page.ts';
import { requestPage } from './pages/request-page.ts';

/** The part of the policy about requests. */
type Offered = Pick<SelfServicePolicy, 'appliances' | 'longest' | 'forGood'>;

export interface RouteParts {
  readonly requests: SiteRequests;
  readonly tokens: Tokens;
  /** The current policy; undefined if nobody may ask. */
  readonly selfService: () => Offered | undefined;
  readonly timeZone: () => string;
  readonly limits: PageLimits;
  readonly now: () => number;
  readonly log: Log;
}

interface Routes {
  /** The form, opened by the link of a block page. */
  readonly form: (query: string, address: string) => Answer;
  /** The submitted form. @throws if the connection ends early */
  readonly send: (request: IncomingMessage, address: string) => Promise<Answer>;
  /** The form, submitted from another site. */
  readonly fromElsewhere: () => Answer;
  readonly request: (token: string, query: string) => Promise<Answer>;
}

const mostSent = 2_000;

export function createRoutes(parts: RouteParts): Routes {
  const { requests, tokens, selfService, timeZone, limits, now, log } = parts;
  const forms = createShownForms(tokens, now);
  /** Results of forms by nonce and values: a repeated form is one request; with other values, another one. */
  const sent = new Map<string, Promise<Answer>>();

  /** What this appliance's link allows to request. */
  const offeredBy = (appliance: string): Offered | undefined => {
    const policy = selfService();
    return policy?.appliances.includes(appliance) ? policy : undefined;
  };

  /** The form again, with all typed values and the reason. */
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
      // A refused form can be submitted again.
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
        site,
        lasts,
        reason,
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
        const { id, wish } = request;
        // The same form at another replica is the same request.
        const isSame = wish.reason === reason && wish.lasts === lasts;
        const own = isSame ? '' : '?again';
        const joined = opened.kind !== 'joined' ? '' : opened.isOwn ? own : '?joined';
        const key = `${id} ${wish.at}`;
        log.tell(requestCame, { request: id, from: address });
        return {
          status: 303,
          headers: { location: `/ask/${tokens.sign('request', key)}${joined}` },
          isKnown: true,
        };
      }
      case 'full':
        return tooMany(
          undefined,
          'Too many people have requested this website, so you were not added. The decision applies to you, too. Open the website again later.',
        );
      case 'not_taken':
        return notSent(503, { notSent: notNow });
      case 'too_many':
        return tooMany(
          opened.again === undefined ? undefined : opened.again - now(),
          'You have already requested several websites, so this request was not sent.',
        );
      case 'inside':
        return notSent(422, {
          problems: {
            site: 'Only websites on the Internet can be requested. For others, ask your IT support.',
          },
        });
      case 'denied':
        return notSent(422, {
          notSent:
            'This website cannot be requested here. If you need it for your work, tell your IT support.',
        });
    }
  }
}

const openAgain =
  'Open the blocked website again, and use the link on the page that says that it is blocked.';

const tooOld = 'This page was open for more than an hour. Check your request and send it again.';

const notNow =
  'Your request was not sent, because requests cannot be accepted at the moment. Try again in a few minutes.';

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
    'Check that you copied the whole address of your request. To ask again, open the blocked website.',
  ),
  isKnown: false,
};

function inTime(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / 60_000));
  if (minutes > 90) return `in ${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}

/** In bytes: the longest name and reason, percent-encoded, and a token. */
const most = 8 * 1_024;

/** The fields of a form, or an HTTP error status. @throws if the connection ends early */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | number> {
  const [type = ''] = String(request.headers['content-type']).split(';', 1);
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return 415;
  if (request.headers['content-encoding'] !== undefined) return 415;
  if (Number(request.headers['content-length']) > most) return 413;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > most) return 413;
    pieces.push(piece);
  }
  return new URLSearchParams(Buffer.concat(pieces).toString());
}

interface ShownForm {
  readonly appliance: string;
  /** Identifies the form: it counts once, however often it arrives. */
  readonly nonce: string;
  readonly isFresh: boolean;
}

/** Allows each form one submission. */
interface ShownForms {
  readonly show: (appliance: string) => string;
  /** Undefined for a forged one. */
  readonly read: (token: string) => ShownForm | undefined;
}

/** How long an open form can be sent, in milliseconds. */
const lifetime = 60 * 60_000;
/** How far another replica's clock may be ahead, in milliseconds. */
const tolerance = 60_000;

function createShownForms(tokens: Tokens, now: () => number): ShownForms {
  return {
    show: (appliance) =>
      tokens.sign('form', [now(), randomBytes(15).toString('base64url'), appliance].join(' ')),
    read: (token) => {
      const [shownAt, nonce, appliance] = tokens.read('form', token)?.split(' ') ?? [];
      if (nonce === undefined || appliance === undefined) return undefined;
      const age = now() - Number(shownAt);
      return { appliance, nonce, isFresh: age > -tolerance && age < lifetime };
    },
  };
}
