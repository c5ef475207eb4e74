import { readSite } from '../../handlers/language/domain.ts';
import { cleanLine, splitValues } from '../../handlers/language/line.ts';
import { pastedIn } from '../../handlers/lists/pasted.ts';
import type { ForwardedMessage } from '../base/chat.ts';

/** What a message links to. */
interface LinksIn {
  /** A word for each site, as it can be typed: the site, or where it was read out of another address, that. */
  readonly found: readonly string[];
  /** Addresses whose targets cannot be read from them. */
  readonly unread: readonly string[];
}

/**
 * The sites in a message, each once, in the order in which they stand there: those the chat made links of, those with a
 * scheme, and those that somebody has made harmless on purpose (`hxxps://`, `example[.]com`) or just typed. Of an address that
 * holds others all of them: only looking is done with it.
 */
export function linksIn({
  links,
  texts,
}: {
  readonly links: readonly string[];
  readonly texts: readonly string[];
}): LinksIn {
  const written = texts.flatMap((text) => {
    const plain = text
      // Slack's own marks: <https://…|label>, <mailto:…>, and people, channels and dates, which are no links.
      .replace(/<(?![@#!])([^|<>]+)(?:\|[^<>]*)?>/g, ' $1 ')
      .replace(/<[@#!][^<>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    return plain.split(/[\s,;|<>"'`]+/).filter(looksLikeOne);
  });
  const found = new Map<string, string>();
  const unread = new Set<string>();
  for (const word of [...links, ...written].map((one) => one.replace(/^mailto:/i, ''))) {
    const read = readSite(word);
    if (read?.kind === 'site')
      found.set(read.site, found.get(read.site) ?? (read.from === undefined ? read.site : word));
    else if (read?.kind === 'either')
      for (const site of [read.outer, ...read.inner]) found.set(site, found.get(site) ?? site);
    else if (read !== undefined) unread.add(word);
  }
  return { found: [...found.values()], unread: [...unread] };
}

/** What is named in forwarded messages: the entries of a list where there is nothing but a list, and the domains in anything else. */
export function forwardedValues(forwarded: readonly ForwardedMessage[]): readonly string[] {
  const lines = forwarded.flatMap(({ text }) => pastedIn(text)).map(cleanLine);
  const isList =
    lines.length > 0 && lines.every((line) => splitValues(line).length === 1 && !/[:!?]$/.test(line));
  if (isList) return [...new Set(lines.flatMap(splitValues))];
  return linksIn({
    links: forwarded.flatMap(({ links }) => links),
    texts: forwarded.flatMap(({ texts }) => texts),
  }).found;
}

/** Whether a bare word may be meant as a domain: what has a scheme or was made harmless is; a file or a number is not. */
function looksLikeOne(word: string): boolean {
  if (/^(?:h[tx*]{2}ps?|ftp|mailto):/i.test(word) || /\[(?:\.|dot)\]|\((?:\.|dot)\)/i.test(word)) return true;
  const [host = ''] = word
    .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
    .split(/[/:?#]/, 1);
  const last = /\.([a-z\u0080-\uffff][a-z0-9\u0080-\uffff-]+)$/i.exec(host)?.[1]?.toLowerCase();
  if (last === undefined) return isAddress(host);
  return !fileEndings.has(last);
}

/** Four numbers up to 255; a version or a time looks otherwise. */
const isAddress = (host: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) && host.split('.').every((part) => Number(part) <= 255);

/** Some are top-level domains as well; whoever means one writes its scheme, or the chat makes a link of it. */
const fileEndings: ReadonlySet<string> = new Set(
  'tgz gz zip tar bz2 xz 7z rar txt log csv json yml yaml xml md pdf doc docx xls xlsx ppt pptx png jpg jpeg gif svg exe dll msi sh py pl js ts rs java conf cfg ini sql db bak tmp iso img deb rpm html htm php'.split(
    ' ',
  ),
);
