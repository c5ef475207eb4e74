/**
 * Recognises secrets: the one rule for refusing lines, and for masking cards, records, dry runs, errors and the
 * log. When in doubt, it hides.
 */

/**
 * Names that mean a secret even inside a longer one: `botToken`, `SHELL_PASS`, `x-api-key`, misspellings such
 * as `pasword`.
 */
const telling =
  /pa?ss?w|pass[-_. ]?(?:phrase|code|key)|pwd|kennwort|secret|token|credential|authori[sz]ation|authentication[-_. ]?string|cookie|(?:api|private|shared|access|auth|signing|encryption|master|host|ssh)[-_. ]?key/i;
/** Names that mean a secret as separate words: `--pw`, `vnc_pass`, `license_key`; but not `bypass`, `public_key`. */
const short =
  /(?:^|[-_. ])(?:pass|pw|psk|creds?)(?:$|[-_. ])|(?<!public|primary|foreign|unique|sort)[-_. ]key$/i;

/** A cache, because long lists share few names. Emptied when full, because hostile lists have endless ones. */
const known = new Map<string, boolean>();
const mostKnown = 10_000;
const longestKnown = 200;

export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = tellsSecret(name);
  if (known.size >= mostKnown) known.clear();
  if (name.length <= longestKnown) known.set(name, found);
  return found;
}

function tellsSecret(name: string): boolean {
  // Positions in lists are names too, and there may be hundreds of thousands.
  if (!/[a-z]{2}/i.test(name)) return false;
  return telling.test(name) || short.test(name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_'));
}

/** Secrets that their own form shows. */
const shapes = [
  // Slack's (slack-facts.md §9).
  /xox[a-z](?:\.[a-z0-9]+)?-[\w-]+/gi,
  /xapp-[\w-]+/gi,
  // A signed token (RFC 7519), and a private key as files hold it.
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]{0,40}-----)?/g,
  // The password in an address.
  /(?<=[a-z]:\/\/[^\s"'\\:@/]*:)[^\s"'\\@/?#]+(?=@)/gi,
];

/** The address of a database: its password is everything before the last @. */
const database = /(postgres(?:ql)?:\/\/)([^\s"'\\]+)/gi;

function withoutPassword(address: string, mark: string): string {
  const at = address.lastIndexOf('@');
  const colon = address.indexOf(':');
  return colon === -1 || colon >= at - 1 ? address : address.slice(0, colon + 1) + mark + address.slice(at);
}

/** A name and its separator: `name=`, `name: `, `"name":"`, `--name `. */
const named = /(?<![\w.-])(-{0,2})([a-z_][\w.-]*(?: key\b)?)((?:\\?["'])?\s*[:=]\s*|\s+(?!-))/gi;

/** Values: whole in their quotes, or up to a space. Hiding too much leaves no half. */
const quotedValue = String.raw`(\\?["'\x60])((?:(?!\1)(?:\\.|.))+)`;
const loose = new RegExp(String.raw`${quotedValue}|(?:[^\s"'\x60\\&]|&(?![\w.-]+=))+`, 'y');
/** In JSON a number or a word ends with its place. */
const inJson = new RegExp(String.raw`${quotedValue}|[^\s"'\\,{}[\]&]+`, 'y');
/** A header has several words. */
const restOfLine = new RegExp(String.raw`${quotedValue}|[^\r\n"'\x60\\]+`, 'y');

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The values in a text whose name means a secret. */
function valuesIn(text: string): readonly Range[] {
  const found: Range[] = [];
  named.lastIndex = 0;
  for (let match = named.exec(text); match !== null; match = named.exec(text)) {
    const [all, dashes = '', name = '', join = ''] = match;
    const start = match.index + all.length;
    const value = isNaming(dashes, name, join) ? valueAt(text, start, name, join) : undefined;
    if (value !== undefined) found.push(value);
    // In "set=apikey=x" the second name begins inside the first value.
    named.lastIndex = value?.end ?? start;
  }
  return found;
}

function isNaming(dashes: string, name: string, join: string): boolean {
  // Without a separator, only an option has a name and a value.
  if (join.trim() === '') return dashes !== '' && isSecretName(name);
  // "token.example.com:443" is an address.
  return isSecretName(join.includes('=') ? name : (name.split('.').at(-1) ?? ''));
}

function valueAt(text: string, start: number, name: string, join: string): Range | undefined {
  const isHeader = /(?:cookie|authori[sz]ation)$/i.test(name) && join.trim() !== '';
  const reader = isHeader ? restOfLine : /^\\?["']/.test(join) ? inJson : loose;
  reader.lastIndex = start;
  const match = reader.exec(text);
  if (match === null) return undefined;
  const [whole, quote = '', inner = whole] = match;
  const from = start + quote.length;
  return { start: from, end: from + inner.length };
}

/** Replaces a secret in visible text. */
export const mask = '•••';

/** Every such secret contains one of these, and most texts contain none. */
const suspicious = /[:=-]|eyJ/;

/** Masks everything in a text that is a secret by its form or by the name before it. */
export function maskSecrets(text: string, mark = mask): string {
  if (!suspicious.test(text)) return text;
  const bare = shapes.reduce(
    (masked, shape) => masked.replace(shape, mark),
    text.replace(database, (_, scheme, rest) => scheme + withoutPassword(rest, mark)),
  );
  let at = 0;
  let masked = '';
  for (const { start, end } of valuesIn(bare)) {
    masked += bare.slice(at, start) + mark;
    at = end;
  }
  return masked + bare.slice(at);
}

/** Whether a text contains an unmasked secret. */
export const carriesSecret = (text: string): boolean => maskSecrets(text) !== text;

/** Words for a password in a sentence. */
const passwordWord =
  '(?:pass ?(?:word|wort|phrase|code)|kennwort|mot de passe|pwd|pw|psk|pin|(?:api|access|secret|private) ?key|token)';
/** The following word, and the words that may stand between. */
const said = new RegExp(
  String.raw`\b(with |new |the |mit |neues |das |his |her |my )?${passwordWord} (?:(?:of|for|von|für|de|pour) (?:(?:(?!is |ist |to |auf |was )\S+ ){1,5}?)(?=(?:is|ist|lautet|was|to|auf|now|jetzt|=|:) ))?(is |ist |lautet |was |to |auf |now |jetzt |= ?|: ?)*([^\s]+)`,
  'giu',
);
/** Words that follow when no password is given: adjectives and verbs about passwords. */
const spokenOf = new Set(
  `a an about accepted again an and any are as ask asked at be been being better blank blocked by can cannot change changed changes cleared
  denied different do does empty enough entry expired expires expiring expiry failed field file for forgotten form from gone gets has hash
  he her his history i if in incorrect invalid is it known leaked length list locked login long longer lost manager missing must my needed
  never new no not of off old on only or our out page please policy problem problems prompt protected protection refused rejected required reset
  rotation rule rules safe same secret secure set she short should shown so still stolen stored strength that the their there they to too
  under unknown unsafe until used user valid was we weak what when where which who why will with without works working wrong yet you your
  abgelaufen falsch für ist nicht unbekannt vergessen von zu`.split(/\s+/),
);

/**
 * "the password is hunter2", "with password Tr0ub4dor": whether a line gives a password in a sentence, without
 * other marks. When in doubt, it does.
 */
export function tellsPassword(line: string): boolean {
  for (const [, before = '', joins = '', value = ''] of line.matchAll(said)) {
    const word = value.replace(/(?<![.,;:!?"')])[.,;:!?"')]+$/, '');
    if (word === '' || /^(?:[•*]+|\d{1,3})$/.test(word) || spokenOf.has(word.toLowerCase())) continue;
    const isMarked = /[0-9!$%#]/.test(value);
    const isStated = /(?:is|ist|lautet|was|=|:) ?$/i.test(joins);
    const isGiven = /^(?:with|mit) $/i.test(before);
    if (isStated || isGiven || (isMarked && (before !== '' || joins !== ''))) return true;
  }
  return false;
}
