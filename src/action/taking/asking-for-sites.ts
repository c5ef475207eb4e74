import type { AnyCommand } from '../../handlers/command.ts';
import { type Asked, lineOf, reasonIn } from '../../handlers/language/asked.ts';
import { readDomain, showDomain } from '../../handlers/language/domain.ts';
import { splitList, wordsIn } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { apartFromTicket } from '../../handlers/language/ticket.ts';
import { wordsAmong } from '../../handlers/lists/posted-file.ts';
import {
  code,
  enumerate,
  type Part,
  paragraph,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { intentOf } from '../../handlers/understanding/intent.ts';
import { looksLikeSite } from '../../handlers/understanding/things.ts';
import { addPhrase, askPhrase, wayToAllow } from '../authority/ways.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { explain, type Fault } from '../wording/faults.ts';

/** What was said, and what it was taken for. */
interface Said {
  readonly found: Match;
  readonly line: string;
}

/** Adds to a refusal how the sites that were spoken of can be had: by the line that allows them, or by asking for them. */
export type WithRequest = (asker: Asker, reply: Reply, fault: Fault, said: Said) => Promise<Reply>;

type Asker = Pick<Invocation, 'person' | 'channel' | 'unattended' | 'moves'>;

export function createWithRequest(parts: Parts): WithRequest {
  const { authority, commandByPhrase } = parts;

  return async (asker, reply, fault, said) => {
    const { person, channel, unattended, moves } = asker;
    const policy = authority.policy().selfService;
    const [ask, add] = [commandByPhrase.get(askPhrase), commandByPhrase.get(addPhrase)];
    const isOpen = fault.code === 'denied' || fault.code === 'not_understood';
    if (!isOpen || policy === undefined || ask === undefined || add === undefined || unattended) return reply;
    // Ending something sooner asks for no site.
    if (typeof moves?.to === 'string') return reply;
    const isUnserved = fault.code === 'denied' && fault.denial.code === 'channel_not_served';
    const unserved = isUnserved ? forAskers(said, reply) : reply;
    const otherwise = () => (isUnserved ? withWhereToAsk(asker, unserved, ask) : reply);
    const { found } = said;
    const nearest = 'nearest' in found ? found.nearest.map(({ asked }) => asked) : [];
    const sites = sitesWanted(said, nearest[0]?.command === ask, isUnserved);
    const may = await authority.suggests(person, channel);
    // Whoever may allow sites, and was refused a command about one, was refused that one.
    if (may(add) && fault.code !== 'not_understood') return reply;
    const own = authority.channel(channel)?.appliance;
    const appliance = policy.appliances.find((name) => name === own) ?? policy.appliances[0];
    if (sites.length === 0 || sites.length > (ask.args.domain?.most ?? 1) || appliance === undefined)
      return otherwise();
    const term = nearest.find((one) => one.term !== undefined)?.term;
    const way = await wayToAllow(parts, { person, channel }, sites, appliance, term);
    switch (way?.kind) {
      case undefined:
        return otherwise();
      case 'allow': {
        const allowing: readonly Part[] = [
          paragraph`To allow ${sitesInWords(sites)}: ${code(`/appliance ${way.line}`)}`,
          offering(`Allow ${way.time}`, way.line),
        ];
        const details = reply.details ?? [];
        // Somebody who complains is first told why it is so.
        const isQuestion = intentOf(said.line).mood === 'question';
        return { ...reply, details: isQuestion ? [...details, ...allowing] : [...allowing, ...details] };
      }
      case 'ask': {
        const canDo = nearest.map(({ command }) => command).filter(may);
        if (canDo.includes(ask) && canDo.length > 1) return reply;
        // Where it lacks a reason, the form asks for it.
        const line = lineOf({ command: ask, typed: { domain: sites, ...saidFor(ask, found) } });
        const button = offering(sites.length === 1 ? 'Ask for the site' : 'Ask for the sites', line);
        // Commands that this person could not run anyway would only stand in the way.
        const isAll =
          (found.kind === 'unknown' || found.kind === 'astray') && canDo.every((one) => one === ask);
        return isAll ? { headline: canRequest(sites), details: [button] } : withMore(unserved, button);
      }
    }
  };

  /** Who writes where nothing is enabled, and may ask: how, and where. */
  async function withWhereToAsk({ person, channel }: Asker, reply: Reply, ask: AnyCommand): Promise<Reply> {
    const wanted = { args: 'any', appliances: 'none', lasts: 'any', access: 'suggest' } as const;
    const mayAsk = await authority.decide({ ...wanted, command: ask, person, channel });
    const isElsewhere =
      !mayAsk.allow && mayAsk.denial.code === 'self_service' && mayAsk.denial.why === 'place';
    if (!mayAsk.allow && !isElsewhere) return reply;
    const isDirect = channel.startsWith('D');
    const where = [
      ...(isElsewhere ? [] : ['here']),
      ...(isDirect ? [] : ['in a direct message to Appliance Bot']),
    ].join(', or ');
    return withMore(reply, {
      kind: 'text',
      text: say`If a website is blocked and you need it, request it ${where}: ${code(`/appliance ${ask.example}`)}`,
    });
  }
}

/** Who has tried to ask hears of that first, and not that nothing is enabled. */
const forAskers = ({ line, found }: Said, reply: Reply): Reply =>
  found.kind !== 'command' && /^\W*(?:as?ks?|asking|requ\w*|with?dra\w*|unblock\w*)\b/i.test(line)
    ? { ...reply, headline: explain({ code: 'only_asking' }).headline }
    : reply;

const withMore = (reply: Reply, part: Part): Reply => ({
  ...reply,
  details: [...(reply.details ?? []), part],
});

const offering = (label: string, line: string): Part => ({ kind: 'offers', offers: [{ label, line }] });

const sitesInWords = (sites: readonly string[]): Text =>
  enumerate(sites.map((site) => strong(showDomain(site))));

const canRequest = (sites: readonly string[]) =>
  say`You can request ${sitesInWords(sites)}: the bot checks what blocks ${sites.length === 1 ? 'it' : 'them'}, and the people who may allow ${sites.length === 1 ? 'it' : 'them'} decide. Nothing was requested so far.`;

/** For how long and why the site is wanted, as far as that was said. */
function saidFor(ask: AnyCommand, found: Match): Asked['typed'] {
  const nearest = 'nearest' in found ? found.nearest.map(({ asked }) => asked) : [];
  const asked = 'typed' in found ? found : (nearest.find(({ command }) => command === ask) ?? nearest[0]);
  if (asked === undefined) return {};
  const { term, typed } = asked;
  const reason = reasonIn(asked);
  const own = term && (term.option === 'for' ? term.text : `until ${term.text}`);
  const lasts = asked.command === ask ? typed.for : own === undefined ? undefined : [own];
  return { ...(lasts && { for: lasts }), ...(reason && { reason: [reason] }) };
}

/** The lookups about a website that somebody without a role may try first. */
const asksAboutSites = ({ effect, args }: AnyCommand): boolean =>
  effect === 'read' && Object.values(args).some(({ recognisable }) => recognisable === true);

/**
 * The sites that somebody wants a way to, by what the line as a whole is for (`intent.ts`). None of a line that keeps people off a
 * site, changes something else, or only asks about one.
 * @param isAsking a request for a site is what the line is nearest to
 * @param isUnserved nothing else can be done there
 */
function sitesWanted({ found, line }: Said, isAsking: boolean, isUnserved: boolean): readonly string[] {
  if (found.kind === 'secret') return [];
  if (found.kind === 'command' || found.kind === 'missing') {
    const { domain, website } = found.typed;
    return asksAboutSites(found.command) ? sitesIn([...wordsAmong(domain), ...wordsAmong(website)]) : [];
  }
  const { access, mood, isForbidden } = intentOf(line);
  const isWanted =
    access === 'allow' || (access === undefined && (isAsking || (isUnserved && mood === 'unclear')));
  // A ticket is an address of another system.
  const words = apartFromTicket(wordsIn(line))?.words ?? wordsIn(line);
  return isWanted && !isForbidden ? sitesIn(words.map(({ text }) => text)) : [];
}

const sitesIn = (words: readonly string[]): readonly string[] => [
  ...new Set(
    words
      // In an address, these are marks of it, and a site may stand behind them.
      .flatMap((word) => (word.includes('://') ? splitList(word) : word.split(/[,;()'"!?]+/)))
      .flatMap((word) => {
        const site = readDomain(word.replace(/[.:]$/, ''));
        return site !== undefined && looksLikeSite(site) ? [site] : [];
      }),
  ),
];
