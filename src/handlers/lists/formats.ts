import type { FileLine } from './cells.ts';

/** Formats in which lists of sites are published for other programs. */

type FormatLine =
  | { readonly kind: 'values'; readonly words: readonly string[] }
  /** Belongs to the format or describes the list: a heading, the name of the machine itself. */
  | { readonly kind: 'frame' }
  /** A rule about something else than a whole site. `is` completes a sentence. */
  | { readonly kind: 'other'; readonly is: string };

/** Reads the lines of a file in order. Undefined: an ordinary line. */
type ReadLine = (text: string) => FormatLine | undefined;

interface Format {
  /** Completes a sentence about where a site was read. */
  readonly line: string;
  /** A line that only this format has. */
  readonly mark: RegExp;
  readonly reader: () => ReadLine;
}

const values = (...words: readonly string[]): FormatLine => ({ kind: 'values', words });
const frame: FormatLine = { kind: 'frame' };
const other = (is: string): FormatLine => ({ kind: 'other', is });

const tokensIn = (text: string): readonly string[] => text.split(/\s+/).filter((token) => token !== '');
const unquoted = (text: string): string => text.replaceAll('"', '');
const before = (text: string, mark: string): string => text.split(mark, 1)[0] ?? '';

/** hosts(5): an address that leads nowhere, and the names that it blocks. */
const hosts: Format = {
  line: 'a line of a hosts file',
  mark: /^(?:0\.0\.0\.0|127\.\d+\.\d+\.\d+|::1?)\s+\S/,
  reader: () => (text) => {
    const [address = '', ...names] = tokensIn(before(text, '#'));
    if (names.length === 0) return undefined;
    if (leadsNowhere.test(address)) {
      const others = names.filter((name) => !ownNames.test(name));
      return others.length === 0 ? frame : values(...others);
    }
    return /^(?:\d{1,3}\.){3}\d{1,3}$|^[0-9a-f]*:[0-9a-f:]*$/i.test(address)
      ? other('a name with an address of its own')
      : undefined;
  },
};

const leadsNowhere = /^(?:0|0\.0\.0\.0|127\.\d+\.\d+\.\d+|::1?|255\.255\.255\.255|ff0\d::\d?|fe80::1%\w+)$/i;
/** Names of the machine itself in hosts files. */
const ownNames =
  /^(?:localhost(?:\.localdomain|[46])?|local|broadcasthost|ip6-\w+|0\.0\.0\.0|localhost6\.localdomain6)$/i;

/** https://help.adblockplus.org, "How to write filters"; https://github.com/AdguardTeam/AdGuardHome, "Hosts blocklists". */
const adblock: Format = {
  line: 'an Adblock rule',
  mark: /^(?:\[adblock|@@|\|\|[^\s|])/i,
  reader: () => (text) => {
    if (/^\[.*\]$/.test(text) || text.startsWith('!')) return frame;
    if (text.startsWith('@@')) return other('an exception');
    if (/#[@?$]?#/.test(text)) return other('a rule for parts of pages');
    if (/^\/.*\/(?:\$|$)/.test(text)) return other('a regular expression');
    const rule = /^\|\|([^/^$|]+)(\/?)\^?\|?(?:\$(.*))?$/.exec(text);
    if (rule === null) return /^\|/.test(text) ? other('a rule for some pages') : undefined;
    const [, host = '', , options = ''] = rule;
    const isWhole = options.split(',').every((option) => wholeSite.test(option));
    return isWhole ? values(host) : other('a rule for some requests to a site');
  },
};

/** With these options a rule still covers a whole site. */
const wholeSite = /^(?:|important|all|doc|document|popup|third-party|3p|~?badfilter-none|empty)$/;

/** dnsmasq(8): `address=/a.example/b.example/0.0.0.0`, `server=/a.example/`. */
const dnsmasq: Format = {
  line: 'a dnsmasq setting',
  mark: /^(?:address|server|local)=\//,
  reader: () => (text) => {
    const rule = /^(address|server|local)=\/(.*)$/.exec(before(text, ' '));
    if (rule === null) return /^[a-z][a-z0-9-]*(?:=|$)/.test(text) ? frame : undefined;
    const [, kind, rest = ''] = rule;
    const names = rest.split('/');
    const target = names.pop();
    if (kind !== 'address' && target !== '') return other('a rule that asks another server');
    return values(...names.filter((name) => name !== ''));
  },
};

/** unbound.conf(5): `local-zone: "a.example" always_nxdomain`, `local-data: "a.example A 0.0.0.0"`. */
const unbound: Format = {
  line: 'an unbound setting',
  mark: /^local-(?:zone|data):/,
  reader: () => (text) => {
    const [key = '', name, type = ''] = tokensIn(unquoted(before(text, '#')));
    if (!/^[a-z][a-z-]*:$/.test(key)) return undefined;
    if (name === undefined || (key !== 'local-zone:' && key !== 'local-data:')) return frame;
    return key === 'local-zone:' && passes.test(type) ? other('a zone that is not blocked') : values(name);
  },
};

/** Zones of these types are answered as usual. */
const passes =
  /^(?:transparent|typetransparent|nodefault|always_transparent|always_nodefault|inform|noview)$/;

/** BIND 9 Administrator Reference Manual, "Response Policy Zones": a zone file (RFC 1035, section 5). */
const responsePolicyZone: Format = {
  line: 'a rule of a response policy zone',
  mark: /^\$(?:TTL|ORIGIN)\s|\sCNAME\s+(?:\.|\*\.|rpz-\w+\.)(?:\s|$)|\sSOA\s/i,
  reader: () => {
    let origin = '';
    let isInside = false;
    return (text) => {
      const said = before(text, ';').trim();
      if (said === '') return frame;
      if (isInside) {
        isInside = !said.includes(')');
        return frame;
      }
      const [name = '', ...rest] = tokensIn(said);
      if (name.startsWith('$')) {
        if (name.toUpperCase() === '$ORIGIN') origin = (rest[0] ?? '').replace(/^\.?/, '.');
        return frame;
      }
      // A line without a name repeats the one before, usually the zone itself.
      const [type = '', target = ''] = [...(isType(name) ? [name] : []), ...rest].filter(
        (token) => !/^(?:\d+[smhdw]?|IN|CH)$/i.test(token),
      );
      if (!isType(type)) return undefined;
      isInside = said.includes('(') && !said.includes(')');
      if (name === '@' || isType(name) || /^(?:NS|SOA)$/i.test(type)) return frame;
      const whole =
        name.endsWith('.') && origin.length > 2 && name.toLowerCase().endsWith(origin.toLowerCase());
      const site = (whole ? name.slice(0, -origin.length) : name).replace(/\.$/, '');
      if (/\.rpz-/i.test(site)) return other('a rule for addresses or name servers');
      if (/^rpz-(?:passthru|tcp-only)\.?$/i.test(target)) return other('an exception');
      return values(site);
    };
  },
};

const isType = (token: string): boolean => /^(?:CNAME|DNAME|A|AAAA|TXT|NS|SOA|MX|PTR|SRV)$|^IN$/i.test(token);

const formats: readonly Format[] = [responsePolicyZone, unbound, dnsmasq, adblock, hosts];

/** Reads the lines of a file in order; `undefined` for an ordinary line. */
export function formatReader(lines: readonly FileLine[]): ReadLine {
  const readers = formats
    .filter(({ mark }) => lines.some(({ text }) => mark.test(text)))
    .map(({ reader }) => reader());
  return (text) => {
    for (const read of readers) {
      const found = read(text);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Whether any line has one of the formats, or the lines are JSON. */
export const isFormatted = (lines: readonly string[]): boolean =>
  formats.some(({ mark }) => lines.some((line) => mark.test(line))) || documentIn(lines) !== undefined;

/** The site that one entry of a format blocks: `||bad.example^`, `0.0.0.0 bad.example`. */
export function entryIn(text: string): { readonly word: string; readonly from: string } | undefined {
  for (const { mark, reader, line } of formats) {
    if (!mark.test(text)) continue;
    const found = reader()(text);
    const [word, ...others] = found?.kind === 'values' ? found.words : [];
    return word === undefined || others.length > 0 ? undefined : { word, from: line };
  }
  return undefined;
}

/** A value in a JSON document, with its field. Without a word, an object that lacks a field for one. */
interface JsonValue {
  readonly word: string | undefined;
  readonly of: string;
}

/** Names of fields that hold a site, surest first. */
const siteFields = [
  'domain',
  'fqdn',
  'hostname',
  'host',
  'site',
  'website',
  'url',
  'uri',
  'address',
  'pattern',
  'name',
  'value',
];
const ofField = (key: string): number =>
  siteFields.findIndex(
    (field) =>
      key.toLowerCase().replace(/(?:_?name)?s?$/, '') === field.replace(/name$/, '') ||
      key.toLowerCase() === field,
  );

/** Deeper documents are no lists of sites. */
const deepest = 30;

/** The lines of a JSON document, or of one document a line, one for each value. Undefined if there is none. */
export function jsonLines(
  lines: readonly FileLine[],
  isOne: (word: string) => boolean,
): { readonly rows: readonly FileLine[]; readonly empty: readonly FileLine[] } | undefined {
  const document = documentIn(lines.map(({ text }) => text));
  if (document === undefined) return undefined;
  const rows: FileLine[] = [];
  const empty: FileLine[] = [];
  let at = 0;
  for (const { word, of } of valuesIn(document, isOne, 0)) {
    // Its position; values come in the order of the lines.
    const written = JSON.stringify(word ?? of).slice(1, -1);
    const found = lines.findIndex(
      ({ text }, index) => index >= at && index < at + 1_000 && text.includes(written),
    );
    if (found !== -1) at = found;
    const number = lines[at]?.number ?? 1;
    if (word === undefined) empty.push({ number, text: of, cells: [] });
    else rows.push({ number, text: word, cells: [word] });
  }
  return { rows, empty };
}

const documentIn = (lines: readonly string[]): unknown =>
  /^[[{]/.test(lines[0] ?? '')
    ? (parsed(lines.join('\n')) ?? everyOf(lines.map((line) => parsed(line.replace(/,$/, '')))))
    : undefined;

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const everyOf = (all: readonly unknown[]): unknown =>
  all.every((one) => one !== undefined) ? all : undefined;

function* valuesIn(value: unknown, isOne: (word: string) => boolean, depth: number): Generator<JsonValue> {
  if (depth > deepest) return;
  if (typeof value === 'string') yield { word: value, of: value };
  else if (Array.isArray(value)) for (const one of value) yield* valuesIn(one, isOne, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    const texts = fields.flatMap(([key, text]) =>
      typeof text === 'string' && ofField(key) !== -1 ? [{ text, rank: ofField(key) }] : [],
    );
    const [best] = texts.toSorted(
      (one, another) => Number(isOne(another.text)) - Number(isOne(one.text)) || one.rank - another.rank,
    );
    const nested = fields.filter(([key, one]) => holdsSites(key, one, isOne));
    // `{"bad.example": {…}}`
    const named = fields.filter(([key]) => key.includes('.') && isOne(key));
    if (best !== undefined && (isOne(best.text) || nested.length === 0))
      yield { word: best.text, of: best.text };
    for (const [key] of named) yield { word: key, of: key };
    for (const [, one] of nested) yield* valuesIn(one, isOne, depth + 1);
    if (best === undefined && nested.length + named.length === 0)
      yield { word: undefined, of: JSON.stringify(value) };
  }
}

/** A list of sites or objects, but not of tags. */
function holdsSites(key: string, value: unknown, isOne: (word: string) => boolean): boolean {
  if (Array.isArray(value))
    return (
      ofField(key) !== -1 ||
      value.some((one) => (typeof one === 'string' ? isOne(one) : typeof one === 'object'))
    );
  return typeof value === 'object' && value !== null;
}
