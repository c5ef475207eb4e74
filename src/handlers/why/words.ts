import type { Category } from '../../api/index.ts';
import { calledCategory } from '../category/sites.ts';
import { showDomain } from '../language/domain.ts';
import { code, enumerate, plural, type Span, say, strong, type Text } from '../reply.ts';
import type { RecordMatch } from './matching.ts';
import type { Blocker, Verdict } from './verdict.ts';

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
        headline: say`${site} is not blocked for everybody: the proxy requires authentication (HTTP 407)`,
        advice: say`The test does not sign in. For a single user, check whether they can sign in at the proxy, and which rules apply to them.`,
      };
    case 'dns_firewall':
      return dnsFirewall(verdict, site, domain, appliance);
    case 'unknown_name':
      return {
        headline: say`${site} is not blocked: it does not resolve on any DNS server of ${strong(appliance)}`,
        advice: say`Check the spelling. If it is right, the domain may have expired, or its owner has a DNS problem.`,
      };
    case 'no_resolver':
      return {
        headline: say`${site} could not be looked up: no DNS server of ${strong(appliance)} gave an answer`,
        advice: say`Whether it is blocked can’t be told. If other sites fail too, check the DNS servers (${code('/appliance resolver')}); otherwise the owner of the site may have a DNS problem. ${quote(verdict.error)}`,
      };
    case 'dns_disagrees':
      return {
        headline: say`DNS disagrees about ${site}: ${plural(verdict.knowing, 'resolver')} of ${strong(appliance)} ${verdict.knowing === 1 ? 'resolves' : 'resolve'} it and ${verdict.failing} ${verdict.failing === 1 ? 'does' : 'do'} not`,
        advice: say`Users of the failing resolver cannot reach the site. A new or moved domain needs a few hours; otherwise check the failing resolver.`,
      };
    case 'proxy_fails':
      return {
        headline: say`${site} fails through the proxy${status(verdict.status)}, but ${strong(appliance)} reaches it directly`,
        advice:
          verdict.decoding === undefined
            ? say`Whether its traffic is decrypted could not be checked. ${quote(verdict.error)}`
            : verdict.decoding.length > 0
              ? say`Its traffic is decrypted (${enumerate(verdict.decoding.map(({ rule }) => strong(nameOf(rule))))}), which some sites do not support: check whether it works without decryption.`
              : say`The problem is between the proxy and the site, for example a certificate that the proxy rejects. ${quote(verdict.error)}`,
      };
    case 'site_down':
      return {
        headline:
          verdict.how === 'no_connection'
            ? say`${site} is not blocked by ${strong(appliance)}: the site itself does not accept connections`
            : say`${site} is not blocked by ${strong(appliance)}: the site itself accepts the connection but does not answer`,
        advice: say`${quote(verdict.error)} Wait, or contact the owner of the site.`,
      };
    case 'site_error':
      return {
        headline: say`${site} is not blocked by ${strong(appliance)}: the site itself returns an error (HTTP ${verdict.status})`,
        advice: say`It does so with and without the proxy. ${
          verdict.status === 404
            ? 'That was its front page; other pages may exist.'
            : 'It may require a sign-in or refuse your addresses: contact the owner of the site.'
        }`,
      };
    case 'not_ours':
      return notOurs(verdict.how, site, appliance);
    case 'untested':
      return {
        headline: say`${site} could not be tested; this is only its configuration on ${strong(appliance)}`,
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
    return { headline: say`${site} will be blocked: ${acting}, but that is not in effect yet`, advice };
  if (!isReached) return { headline: say`${site} is most likely blocked: ${acting}`, advice };
  return {
    headline: say`${site} should be blocked, and ${strong(appliance)} still reaches it: ${acting}`,
    advice: say`Either the category was not compiled since the site was added, or the firewall only changes DNS answers for users. ${advice}`,
  };
}

function notOurs(how: 'both' | 'directly' | 'by_proxy', site: Span, appliance: string): VerdictInWords {
  const person = say`If the site fails for one user only, check the rules for that user or network, the exact page, and the user’s computer.`;
  if (how === 'both') {
    return {
      headline: say`${site} is not blocked: ${strong(appliance)} reaches it, directly and through the proxy`,
      advice: person,
    };
  }
  if (how === 'by_proxy') {
    return {
      headline: say`${site} is not blocked: ${strong(appliance)} reaches it through the proxy`,
      advice: say`The direct connection fails, which is normal where only the proxy has Internet access. ${person}`,
    };
  }
  return {
    headline: say`${site} is up: ${strong(appliance)} reaches it directly, but did not test it through the proxy`,
    advice: say`Whether the proxy allows it is unknown. ${person}`,
  };
}

function untested(by: Blocker): Text {
  switch (by.kind) {
    case 'rules':
      return say`If it is blocked, the most likely cause is ${ruleText(by.matches)}.`;
    case 'unknown':
      return by.unasked.length > 0
        ? say`Whether it is blocked is unknown: ${enumerate(by.unasked)} could not be checked.`
        : say`Nothing in it is known to block the site.`;
    default:
      return say`Whether its category is blocked is unknown: the appliance does not report what its rules do.`;
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
        ? say`; ${enumerate(by.unasked)} could not be checked, so the cause is unknown`
        : say`, and no category or ACL record that it lists explains why`;
  }
}

/** rule *Reported addresses*, whose object *banned_addresses* matches it */
function ruleText(matches: readonly RecordMatch[]): Text {
  const rules = new Map(matches.flatMap((match) => match.rules.map((rule) => [rule.id, rule] as const)));
  const objects = new Map(matches.map(({ object }) => [object.id, object]));
  const names = firstOf([...rules.values()].map(nameOf));
  const through = firstOf([...objects.values()].map((object) => object.name ?? String(object.id)));
  const objectsAre = objects.size === 1 ? 'ACL object' : 'ACL objects';
  return say`${rules.size === 1 ? 'rule' : 'one of the rules'} ${names} (${objectsAre} ${through})`;
}

/** A headline names three; the table below has all. */
function firstOf(names: readonly string[]): Text {
  const more = names.length - 3;
  return enumerate([...names.slice(0, 3).map(strong), ...(more > 0 ? [`${more} more`] : [])]);
}

function adviceFor(by: Blocker, domain: string): Text {
  switch (by.kind) {
    case 'categories':
      return takeOut(by.categories, domain);
    case 'rules':
      return say`The appliance does not report what its rules do: check the rule in the web console. See the records below.`;
    case 'perhaps':
      return say`The appliance does not report which categories its rules block. ${code(`/appliance category show ${by.categories[0]?.id ?? ''}`)} shows details.`;
    case 'unknown':
      return say`The cause may be a rule about networks, users, times or addresses, which the API cannot read: check the rules in the web console.`;
  }
}

function takeOut(categories: readonly Category[], domain: string): Text {
  const [first] = categories;
  return first === undefined
    ? []
    : say`If that is wrong, ${code(`/appliance category delete ${domain} from ${first.id}`)} removes it.`;
}

const inCategories = (categories: readonly Category[]): Text =>
  say`it is in ${enumerate(categories.map((one) => strong(calledCategory(one))))}`;

export const nameOf = ({ id, name }: { readonly id: number; readonly name?: string }): string =>
  name === undefined || name === '' ? `rule ${id}` : name;

const status = (given: number): string => (given === 0 ? '' : ` (HTTP ${given})`);

const quote = (error: string): Text => (error === '' ? [] : say`The appliance replied: ${code(error)}.`);
