import type { Category } from '../../api/index.ts';
import { calledCategory } from '../category/sites.ts';
import { showDomain } from '../language/domain.ts';
import { code, enumerate, plural, type Span, say, strong, type Text } from '../reply.ts';
import type { RecordMatch } from './matching.ts';
import type { Blocker, Verdict } from './verdict.ts';

/** A verdict as one sentence that stands alone, and what to do about it. */
export interface VerdictInWords {
  readonly headline: Text;
  readonly advice: Text;
}

/**
 * @param domain in lower-case ASCII
 * @param appliance its name
 */
export function tell(verdict: Verdict, domain: string, appliance: string): VerdictInWords {
  const site = strong(showDomain(domain));
  switch (verdict.kind) {
    case 'blocked':
      return {
        headline: say`${site} is blocked: the proxy refuses it (HTTP ${verdict.status})${reason(verdict.by)}`,
        advice: adviceFor(verdict.by, domain),
      };
    case 'asks_who':
      return {
        headline: say`${site} is not blocked for everybody: the proxy asks who is there (HTTP 407)`,
        advice: say`The test does not sign in. For a person, look whether they can sign in at the proxy, and which rules are about them.`,
      };
    case 'dns_firewall':
      return dnsFirewall(verdict, site, domain, appliance);
    case 'unknown_name':
      return {
        headline: say`No DNS server of ${strong(appliance)} knows ${site}, so it is not blocked but not there`,
        advice: say`Look at the spelling. If it is right, the name may have expired, or its owner has a problem with DNS.`,
      };
    case 'dns_disagrees':
      return {
        headline: say`DNS disagrees about ${site}: ${plural(verdict.knowing, 'resolver')} of ${strong(appliance)} ${verdict.knowing === 1 ? 'knows' : 'know'} it and ${verdict.failing} ${verdict.failing === 1 ? 'does' : 'do'} not`,
        advice: say`Who asks the wrong one does not reach the site. A name that has just been made or moved needs some hours; otherwise look at the resolver that fails.`,
      };
    case 'proxy_fails':
      return {
        headline: say`${site} fails in the proxy${status(verdict.status)}, while ${strong(appliance)} reaches it without`,
        advice:
          verdict.decoding === undefined
            ? say`Whether its traffic is decoded could not be asked. ${quote(verdict.error)}`
            : verdict.decoding.length > 0
              ? say`Its traffic is decoded (${enumerate(verdict.decoding.map(({ rule }) => strong(nameOf(rule))))}), which some sites do not put up with: see whether it works when it is not.`
              : say`That is between the proxy and the site, as with certificates that the proxy does not take. ${quote(verdict.error)}`,
      };
    case 'site_down':
      return {
        headline:
          verdict.how === 'no_connection'
            ? say`${site} is not blocked by ${strong(appliance)}: the site itself takes no connection`
            : say`${site} is not blocked by ${strong(appliance)}: the site itself takes the connection and does not answer`,
        advice: say`${quote(verdict.error)} Nothing to do here but wait, or ask whoever runs the site.`,
      };
    case 'site_error':
      return {
        headline: say`${site} is not blocked by ${strong(appliance)}: the site itself answers with an error (HTTP ${verdict.status})`,
        advice: say`It answers so with and without the proxy. ${
          verdict.status === 404
            ? 'That was its front page; another page may well be there.'
            : 'It may want a sign-in, or refuse our addresses: ask whoever runs the site.'
        }`,
      };
    case 'not_ours':
      return notOurs(verdict.how, site, appliance);
    case 'untested':
      return {
        headline: say`${site} could not be tested, so this is only what is set about it on ${strong(appliance)}`,
        advice: untested(verdict.by),
      };
  }
}

function dnsFirewall(
  { categories, isPending, isReached }: Extract<Verdict, { kind: 'dns_firewall' }>,
  site: Span,
  domain: string,
  appliance: string,
): VerdictInWords {
  const acting = say`${inCategories(categories)}, which the DNS firewall acts on`;
  const advice = takeOut(categories, domain);
  if (isPending)
    return { headline: say`${site} is about to be blocked: ${acting}, and that is not live yet`, advice };
  if (!isReached) return { headline: say`${site} is most likely blocked: ${acting}`, advice };
  return {
    headline: say`${site} should be blocked, and ${strong(appliance)} still reaches it: ${acting}`,
    advice: say`Either the category has not been compiled since it is in it, or the firewall only changes what DNS answers to people. ${advice}`,
  };
}

function notOurs(how: 'both' | 'directly' | 'by_proxy', site: Span, appliance: string): VerdictInWords {
  const person = say`If it fails for a person, look at rules about that person or network, at the one page that fails, and at their computer.`;
  if (how === 'both') {
    return {
      headline: say`${site} is not blocked: ${strong(appliance)} reaches it, directly and through the proxy`,
      advice: person,
    };
  }
  if (how === 'by_proxy') {
    return {
      headline: say`${site} is not blocked: ${strong(appliance)} reaches it through the proxy`,
      advice: say`Without the proxy it does not, as where only the proxy may go out. ${person}`,
    };
  }
  return {
    headline: say`${site} is up: ${strong(appliance)} reaches it directly, and did not test it through the proxy`,
    advice: say`Whether the proxy lets it through is not known. ${person}`,
  };
}

function untested(by: Blocker): Text {
  switch (by.kind) {
    case 'rules':
      return say`If it is blocked, then most likely by ${ruleText(by.matches)}.`;
    case 'unknown':
      return by.unasked.length > 0
        ? say`Whether it is blocked is not known: ${enumerate(by.unasked)} could not be asked.`
        : say`Nothing of it is known to block the site.`;
    default:
      return say`Whether its category is blocked is not known: the appliance does not tell what its rules do.`;
  }
}

function reason(by: Blocker): Text {
  switch (by.kind) {
    case 'categories':
      return say`, and ${inCategories(by.categories)}, which the DNS firewall acts on`;
    case 'rules':
      return say`, most likely by ${ruleText(by.matches)}`;
    case 'perhaps':
      return say`, perhaps because ${inCategories(by.categories)}`;
    case 'unknown':
      return by.unasked.length > 0
        ? say`; ${enumerate(by.unasked)} could not be asked, so it is not known by what`
        : say`, and no category or ACL record says why`;
  }
}

/** rule *Reported addresses*, whose object *banned_addresses* matches it */
function ruleText(matches: readonly RecordMatch[]): Text {
  const rules = new Map(matches.flatMap((match) => match.rules.map((rule) => [rule.id, rule] as const)));
  const objects = new Map(matches.map(({ object }) => [object.id, object]));
  const names = firstOf([...rules.values()].map(nameOf));
  const through = firstOf([...objects.values()].map((object) => object.name ?? `object ${object.id}`));
  return say`${rules.size === 1 ? 'rule' : 'one of the rules'} ${names}, through ${through}`;
}

/** A headline names three; the table below has them all. */
function firstOf(names: readonly string[]): Text {
  const more = names.length - 3;
  return enumerate([...names.slice(0, 3).map(strong), ...(more > 0 ? [`${more} more`] : [])]);
}

function adviceFor(by: Blocker, domain: string): Text {
  switch (by.kind) {
    case 'categories':
      return takeOut(by.categories, domain);
    case 'rules':
      return say`The appliance does not tell what its rules do with what they match: look at the rule in the web console. The records are below.`;
    case 'perhaps':
      return say`The appliance does not tell which categories its rules block. ${code(`/appliance category show ${by.categories[0]?.id ?? ''}`)} tells more about it.`;
    case 'unknown':
      return say`It may be a rule about networks, people, times or addresses, which cannot be read from here: look at the rules in the web console.`;
  }
}

function takeOut(categories: readonly Category[], domain: string): Text {
  const [first] = categories;
  return first === undefined
    ? []
    : say`If that is wrong, ${code(`/appliance category delete ${domain} from ${first.id}`)} takes it out.`;
}

const inCategories = (categories: readonly Category[]): Text =>
  say`it is in ${enumerate(categories.map((one) => strong(calledCategory(one))))}`;

export const nameOf = ({ id, name }: { readonly id: number; readonly name?: string }): string =>
  name === undefined || name === '' ? `rule ${id}` : name;

const status = (given: number): string => (given === 0 ? '' : ` (HTTP ${given})`);

const quote = (error: string): Text => (error === '' ? [] : say`The appliance says: ${code(error)}.`);
