import type { AnyCommand } from '../../handlers/command.ts';
import { areaOf } from '../../handlers/command-name.ts';
import { type Asked, lineOf, reasonIn } from '../../handlers/language/asked.ts';
import { readDomain, showDomain } from '../../handlers/language/domain.ts';
import type { Match } from '../../handlers/language/match.ts';
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
import { addPhrase, askPhrase, wayToAllow } from '../authority/ways.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import type { Fault } from '../wording/faults.ts';

/** What was said, and what it was taken for. */
interface Said {
  readonly found: Match;
  readonly line: string;
}

/** Adds to a refusal how the sites that were spoken of can be had: by the line that allows them, or by asking for them. */
export type WithRequest = (invocation: Invocation, reply: Reply, fault: Fault, said: Said) => Promise<Reply>;

export function createWithRequest(parts: Parts): WithRequest {
  const { authority, commandByPhrase } = parts;

  return async (invocation, reply, fault, said) => {
    const { person, channel, unattended, moves } = invocation;
    const policy = authority.policy().selfService;
    const [ask, add] = [commandByPhrase.get(askPhrase), commandByPhrase.get(addPhrase)];
    const isOpen = fault.code === 'denied' || fault.code === 'not_understood';
    if (!isOpen || policy === undefined || ask === undefined || add === undefined || unattended) return reply;
    // Whoever wants a site blocked, or denied, or its time ended, is not offered to have it allowed.
    if (typeof moves?.to === 'string') return reply;
    const isUnserved = fault.code === 'denied' && fault.denial.code === 'channel_not_served';
    if (denying.test(said.line))
      return isUnserved ? withWhereToAsk(invocation, forAskers(said, reply), ask) : reply;
    const may = await authority.suggests(person, channel);
    const sites = sitesIn(said);
    const nearest = 'nearest' in said.found ? said.found.nearest.map(({ asked }) => asked) : [];
    const isMeant = nearest.some(({ command }) => command === ask || command === add);
    // Who may allow sites and was refused was refused this one.
    if (may(add) && !(fault.code === 'not_understood' && isMeant)) return reply;
    const own = authority.channel(channel)?.appliance;
    const appliance = policy.appliances.find((name) => name === own) ?? policy.appliances[0];
    const unserved = forAskers(said, reply);
    if (sites.length === 0 || sites.length > (ask.args.domain?.most ?? 1) || appliance === undefined)
      return isUnserved ? withWhereToAsk(invocation, unserved, ask) : reply;
    const term = nearest.find((one) => one.term !== undefined)?.term;
    const way = await wayToAllow(parts, { person, channel }, sites, appliance, term);
    switch (way?.kind) {
      case undefined:
        return isUnserved ? withWhereToAsk(invocation, unserved, ask) : reply;
      case 'allow':
        return {
          ...reply,
          details: [
            paragraph`To allow ${sitesInWords(sites)}: ${code(`/appliance ${way.line}`)}`,
            offering(`Allow ${way.time}`, way.line),
            ...(reply.details ?? []),
          ],
        };
      case 'ask': {
        const canDo = nearest.map(({ command }) => command).filter(may);
        if (canDo.includes(ask) && canDo.length > 1) return reply;
        // Where it lacks a reason, the form asks for it.
        const line = lineOf({ command: ask, typed: { domain: sites, ...saidFor(ask, said.found) } });
        const button = offering(sites.length === 1 ? 'Ask for the site' : 'Ask for the sites', line);
        // What they could not do anyway would only stand in the way.
        const isAll = isMeant && (isUnserved || canDo.every((one) => one === ask));
        const isAsked = isAll || (isUnserved && said.found.kind !== 'command');
        if (isAsked) return { headline: canRequest(sites), details: [button] };
        return withMore(isUnserved ? unserved : reply, button);
      }
    }
  };

  /** Who writes where nothing is enabled, and may ask: how, and where. */
  async function withWhereToAsk(
    { person, channel }: Invocation,
    reply: Reply,
    ask: AnyCommand,
  ): Promise<Reply> {
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

/** To whoever may ask there, and nothing else. */
const onlyAsking = say`This line could not be read, and no changes were made. Appliance Bot takes requests for blocked websites here, and nothing else.`;

/** Who has tried to ask hears of that first, and not that nothing is enabled. */
const forAskers = ({ line, found }: Said, reply: Reply): Reply =>
  found.kind !== 'command' && /^\W*(?:as?ks?|asking|requ\w*|with?dra\w*|unblock\w*)\b/i.test(line)
    ? { ...reply, headline: onlyAsking }
    : reply;

/** And what stands behind a ticket is an address of another system. */
const denying =
  /\b(?:deny|block|ban|forbid|reject|refuse|withdraw|cancel|ticket)\b|\b(?:not|never|don['’]?t) (?:allow|open|unblock)\b/i;

const withMore = (reply: Reply, part: Part): Reply => ({
  ...reply,
  details: [...(reply.details ?? []), part],
});

const offering = (label: string, line: string): Part => ({ kind: 'offers', offers: [{ label, line }] });

const sitesInWords = (sites: readonly string[]): Text =>
  enumerate(sites.map((site) => strong(showDomain(site))));

const canRequest = (sites: readonly string[]) =>
  say`You can request ${sitesInWords(sites)}: it is checked what blocks ${sites.length === 1 ? 'it' : 'them'}, and those who may allow ${sites.length === 1 ? 'it' : 'them'} decide. Nothing was requested so far.`;

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

/** The areas whose commands are about a website, by a domain. */
const aboutSites: ReadonlySet<string> = new Set(['why', 'categorize', 'category', 'analyze']);

/** The sites that are spoken of: in a command about sites, or in a line that is none. */
function sitesIn({ found, line }: Said): readonly string[] {
  const isCommand = found.kind === 'command' || found.kind === 'missing';
  if (isCommand && !aboutSites.has(areaOf(found.command))) return [];
  if (found.kind === 'secret') return [];
  const words = isCommand
    ? [...(found.typed.domain ?? []), ...(found.typed.site ?? [])]
    : line.split(/[\s,;]+/);
  return [...new Set(words.flatMap((word) => readDomain(word) ?? []))];
}
