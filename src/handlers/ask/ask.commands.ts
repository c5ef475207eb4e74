import { readDuration } from '../../duration.ts';
import { type Argument, domain, text } from '../argument.ts';
import { info } from '../declare.ts';
import { showDomain } from '../language/domain.ts';
import { readSpoken } from '../language/span-words.ts';
import { readSaidTime, type SaidTime } from '../language/times/said-time.ts';
import { code, enumerate, type InfoReply, say, strong } from '../reply.ts';
import type { MoreTime } from './request-book.ts';

/** Words for a permanent request. It is stored as 0, because JSON has no Infinity. */
const forGood = ['good', 'ever', 'always', 'permanent'];

const minute = 60_000;
const longest = 90 * 24 * 60 * minute;

/** How long a site is requested. The policy's limit is applied when somebody decides. */
const time: Argument<number | SaidTime | MoreTime> = {
  what: 'how long',
  example: '2h',
  words: 5,
  read: (word) => {
    const said = word.trim().toLowerCase();
    if (forGood.includes(said)) return { ok: true, value: 0 };
    const end = /^(?:until|till) (.+)$/.exec(said)?.[1];
    const moment = end === undefined ? undefined : readSaidTime(end);
    if (moment !== undefined && moment.kind !== 'either') return { ok: true, value: moment };
    const plain = said
      .replace(/\b(?:more|longer|another|additional)\b/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const value = readDuration(plain) ?? readSpoken(plain) ?? readSpoken(`1 ${plain}`);
    if (value === undefined) return { ok: false, problem: { code: 'not_a_duration' } };
    if (value < minute) return { ok: false, problem: { code: 'malformed', wanted: 'at least 1 minute' } };
    // A longer request counts as the longest one.
    const lasts = Math.min(value, longest);
    return { ok: true, value: plain === said ? lasts : { more: lasts } };
  },
};

/** Each site is a request with its own card. More at once would be too many to decide. */
const most = 10;

export const ask = info({
  anywhere: false,
  selfService: 'alone',
  phrase: 'ask <domain>… [--for] <--reason>',
  also: [
    'ask <domain>… for [for] <--reason>',
    'request <domain>… for [for] <--reason>',
    'can i get <domain>… for [for] <--reason>',
    'may i have <domain>… for [for] <--reason>',
  ],
  says: `
    can i get access to <domain> / please unblock <domain> / i need <domain> /
    i need access to <domain> / request access to <domain> / please allow <domain> /
    could you unblock <domain> / may i have <domain> / unblock <domain> for me / i want to open <domain> /
    please open <domain> for me / can you allow <domain> / can somebody unblock <domain> / let me on <domain> /
    can we get <domain> / we need <domain> / ask for <domain> / request an exception for <domain>
  `,
  args: { domain: { ...domain, most }, for: time, reason: text('a reason', '"booking for customer"') },
  summary: 'Ask for blocked websites: those who may allow them decide',
  example: 'ask live-betting.example --for 2h --reason "booking for customer"',
  answer: async ({ args, requests }) => ({
    headline: say`${enumerate(args.domain.map((site) => strong(showDomain(site))))} can be requested with ${code(`/appliance ask ${args.domain.join(' ')} for 2h --reason "…"`)}`,
    next: {
      act: () => requests.ask(args.domain, args.for === 0 ? Number.POSITIVE_INFINITY : args.for, args.reason),
    },
  }),
});

export const withdraw = info({
  anywhere: false,
  selfService: 'besides',
  effect: 'write',
  verb: 'Withdraw',
  phrase: 'withdraw <domain>…',
  also: [
    'requests withdraw <domain>…',
    'withdraw request for <domain>…',
    'withdraw my request for <domain>…',
    'cancel request for <domain>…',
    'cancel my request for <domain>…',
  ],
  args: { domain: { ...domain, most } },
  summary: 'Withdraw your own requests for websites, as long as nobody has decided',
  example: 'withdraw live-betting.example',
  answer: async ({ args, requests: book }): Promise<InfoReply> => ({
    headline: say`This withdraws your request for ${enumerate(args.domain.map((site) => strong(showDomain(site))))}, if nobody has decided.`,
    next: { act: () => book.withdraw(args.domain) },
  }),
});

export const requests = info({
  anywhere: false,
  selfService: 'besides',
  phrase: 'requests',
  also: ['requests list', 'open requests', 'my requests'],
  says: `
    what was requested / which sites are requested / list requests / show requests / who asks for sites /
    what waits for a decision / which requests are open / what do people ask for / pending requests /
    what have i requested / what became of my request / what did i ask for / is my request decided
  `,
  summary: 'List your website requests, and those that wait for a decision in this channel',
  answer: async ({ requests: book, waits }) => {
    const [own, waiting] = await Promise.all([book.list(), waits()]);
    if (!waiting.isAny) return own;
    const { headline, details = [] } = waiting.reply;
    return {
      headline,
      details: [...details, { kind: 'text', text: own.headline }, ...(own.details ?? [])],
    };
  },
});
