import type { AclObject, WebsiteAnalysis } from '../../api/index.ts';
import { namesOfApplied } from '../applied.ts';
import { responsePolicy } from '../category/sites.ts';
import { quoted } from '../language/asked.ts';
import { code, enumerate, type Part, plural, say, strong, type Text } from '../reply.ts';
import { reasonOf } from '../wording/reason.ts';
import type { Evidence, EvidenceSource } from './evidence.ts';
import type { RecordMatch, SslMatch } from './matching.ts';
import type { WhyFindings } from './verdict.ts';
import { nameOf } from './words.ts';

/**
 * A row for every source, followed by its details.
 * @param appliance the appliance that was asked, for further offers
 */
export function tableOf(evidence: Evidence, findings: WhyFindings, appliance: string): readonly Part[] {
  const { categories, objects, sslRules, website, pending } = evidence;
  const { matching, ssl, resolving } = findings;
  const rows: readonly (readonly [string, Text])[] = [
    ['Categories', told(categories, ({ categories: all }) => categoriesText(all))],
    ['Directly', told(website, directly)],
    ['Through the proxy', told(website, throughProxy)],
    ['DNS', told(website, ({ proxyResolvers = [] }) => resolvingText(resolving.kind, proxyResolvers.length))],
    ['ACL records', told(objects, (all) => recordsText(matching.matches, matching.untried.length, all))],
    ['SSL inspection', told(sslRules, () => sslText(ssl, objects.ok))],
    ...(pending.length === 0 ? [] : [['Not live yet', pendingText(pending)] as const]),
  ];
  return [
    { kind: 'table', columns: ['Checked', 'Result'], rows: rows.map(([name, text]) => [say`${name}`, text]) },
    ...recordsTable(matching.matches),
    ...(resolving.kind === 'disagree' || resolving.kind === 'differ' ? resolversTable(website) : []),
    ...(website.ok
      ? [
          {
            kind: 'offers',
            offers: [
              { label: 'Test it in detail', line: `analyze ${evidence.domain} --on ${quoted(appliance)}` },
            ],
          } as const,
        ]
      : []),
  ];
}

const pendingText = (pending: Evidence['pending']): Text =>
  say`${namesOfApplied(pending)}: changes wait for their compile`;

function told<Value>(source: EvidenceSource<Value>, words: (value: Value) => Text): Text {
  if (source.ok) return words(source.value);
  return source.failure.code === 'bad_argument'
    ? say`not tested: only host names and IPv4 addresses can be tested`
    : say`⚠ could not be asked: ${reasonOf(source.failure)}`;
}

function categoriesText(all: Parameters<typeof responsePolicy>[0][]): Text {
  if (all.length === 0) return say`in none`;
  return enumerate(
    all.map((one) =>
      one.rpz?.enabled === true
        ? say`${one.name} (${one.id}, DNS firewall ${responsePolicy(one)})`
        : say`${one.name} (${one.id})`,
    ),
  );
}

export function directly({
  resolved,
  address,
  connected,
  connectError,
  direct,
  directStatus,
  directError,
}: WebsiteAnalysis): Text {
  const at = address === undefined || address === '' ? '' : `, at ${address}`;
  if (direct === true) return say`reached${http(directStatus)}${at}`;
  if (resolved === false) return say`the name did not resolve`;
  if (connected === false) return say`no connection${at}${because(connectError)}`;
  if (direct === false)
    return say`bad response${http(directStatus, directError)}${at}${because(directError)}`;
  return say`not reported`;
}

export function throughProxy({ proxyTested, proxyFailed, proxyStatus, proxyError }: WebsiteAnalysis): Text {
  if (proxyTested !== true) return say`not tested`;
  if (proxyFailed === true) return say`failed${http(proxyStatus, proxyError)}${because(proxyError)}`;
  return say`reached${http(proxyStatus)}`;
}

export const testInWords = (test: WebsiteAnalysis): Text =>
  say`Directly: ${directly(test)}. Through the proxy: ${throughProxy(test)}.`;

function resolvingText(kind: WhyFindings['resolving']['kind'], count: number): Text {
  switch (kind) {
    case 'not_told':
      return say`not reported`;
    case 'agree':
      return count === 1 ? say`the only resolver resolves it` : say`all ${count} resolvers agree`;
    case 'all_fail':
      return say`${count === 1 ? 'the only resolver does not resolve' : `none of ${count} resolvers resolves`} it`;
    case 'disagree':
      return say`the resolvers disagree, see below`;
    case 'differ':
      return say`the resolvers return different addresses (common for large sites), see below`;
  }
}

function recordsText(matches: readonly RecordMatch[], untried: number, all: readonly AclObject[]): Text {
  const rest = untried === 0 ? [] : say`; ${plural(untried, 'regular expression')} could not be tried`;
  if (all.length === 0) return say`the appliance lists no object`;
  if (matches.length === 0) return say`none of ${plural(all.length, 'object')} matches${rest}`;
  const off = matches.filter(({ isOn }) => !isOn).length;
  const offText = off === 0 ? [] : off === matches.length ? say`, disabled` : say`, ${off} of them disabled`;
  return say`${plural(matches.length, 'record')} ${matches.length === 1 ? 'matches' : 'match'}${offText}, see below${rest}`;
}

function sslText(ssl: readonly SslMatch[], isMatched: boolean): Text {
  if (!isMatched) return say`unknown without the ACL objects`;
  if (ssl.length === 0) return say`no rule applies to it`;
  return enumerate(
    ssl.map(({ rule, objects, isOn }) => {
      const does =
        rule.decodes === undefined ? 'action not reported' : rule.decodes ? 'decodes' : 'does not decrypt';
      const all = objects.map(({ name, negated }) => `${negated ? 'all but ' : ''}${name}`).join(', ');
      return say`${nameOf(rule)} (${isOn ? does : 'disabled'}, by ${all})`;
    }),
  );
}

const how: Readonly<Record<RecordMatch['how'], string>> = {
  exact: 'the name itself',
  below: 'the domain above it',
  regular: 'regular expression',
  address: 'its address',
  some_pages: 'some of its pages',
};

const mostSentences = 5;

/** "Record .youtube.com (the domain above it) of google_sni (3), used by …" */
function recordSentence({ record, object, how: way }: RecordMatch): Text {
  const off = (enabled: boolean | undefined) =>
    enabled === true ? '' : enabled === false ? ', disabled' : ', state not reported';
  const name = say`${strong(object.name ?? 'object')} (${object.id}${off(object.enabled)})`;
  return say`Record ${code(record.pattern)} (${how[way]}${off(record.enabled)}) of ${name}, used by ${rulesText(object)}`;
}

function recordsTable(matches: readonly RecordMatch[]): readonly Part[] {
  if (matches.length === 0) return [];
  // A few matches read better as sentences: a message has room for one table.
  if (matches.length <= mostSentences) return [{ kind: 'list', items: matches.map(recordSentence) }];
  return [
    {
      kind: 'table',
      columns: ['Record', 'Matches by', 'Record is', 'Object', 'Object is', 'Used by'],
      rows: matches.map(({ record, object, how: way }) =>
        [
          code(record.pattern),
          how[way],
          state(record.enabled),
          `${object.name ?? 'object'} (${object.id})`,
          state(object.enabled),
          rulesText(object),
        ].map((cell) => say`${cell}`),
      ),
    },
  ];
}

function rulesText({ rules }: AclObject): Text {
  if (rules === undefined) return say`not reported`;
  if (rules.length === 0) return say`no rule`;
  return enumerate(
    rules.map((rule) => (rule.enabled === false ? `${nameOf(rule)} (disabled)` : nameOf(rule))),
  );
}

export function resolversTable(website: EvidenceSource<WebsiteAnalysis>): readonly Part[] {
  const answers = website.ok ? (website.value.proxyResolvers ?? []) : [];
  if (answers.length === 0) return [];
  return [
    {
      kind: 'table',
      columns: ['Resolver', 'Answer'],
      rows: answers.map(({ resolver, success, error = '', addresses }) => [
        say`${resolver ?? 'not reported'}`,
        success === false || addresses.length === 0
          ? say`no address${because(error)}`
          : say`${addresses.join(', ')}`,
      ]),
    },
  ];
}

const state = (enabled: boolean | undefined): string =>
  enabled === undefined ? 'not reported' : enabled ? 'enabled' : 'disabled';
/** Left out if the appliance's own words contain it. */
const http = (status: number | undefined, error = ''): string =>
  status === undefined || status === 0 || error.includes(String(status)) ? '' : `, HTTP ${status}`;
const because = (error: string | undefined): string =>
  error === undefined || error === '' ? '' : `: ${error}`;
