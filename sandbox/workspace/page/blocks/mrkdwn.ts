/**
 * Slack's mrkdwn, read into `rich_text` elements.
 *
 * The block renderer reads mrkdwn as Markdown with extras: it decodes `&lt;` before it looks for mentions, drops
 * lines that start with `#` or `<`, and doubles the stars in `*.example.com`. A sandbox must not show formatting
 * that Slack would not show, nor hide text that Slack would show, so we read it here and hand the renderer
 * `rich_text`, which it draws word for word.
 */

interface Style {
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly code?: true;
}

type Inline =
  | { readonly type: 'text'; readonly text: string; readonly style?: Style }
  | { readonly type: 'link'; readonly url: string; readonly text?: string; readonly style?: Style }
  | { readonly type: 'emoji'; readonly name: string }
  | { readonly type: 'user'; readonly user_id: string; readonly style?: Style }
  | { readonly type: 'channel'; readonly channel_id: string; readonly style?: Style }
  | { readonly type: 'usergroup'; readonly usergroup_id: string; readonly style?: Style }
  | { readonly type: 'broadcast'; readonly range: string; readonly style?: Style };

export type RichText =
  | { readonly type: 'rich_text_section'; readonly elements: readonly Inline[] }
  | { readonly type: 'rich_text_quote'; readonly elements: readonly Inline[] }
  | { readonly type: 'rich_text_preformatted'; readonly elements: readonly Inline[] };

/** How a date token is written out: `seconds`, Slack's format such as `{date_short} {time}`, the fallback. */
export type WriteDate = (seconds: number, format: string, fallback: string) => string;

/** Slack escapes these three characters in text and no others (slack-facts.md §9). */
export const unescaped = (text: string) =>
  text.replace(/&(lt|gt|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', amp: '&' })[name] ?? '');

/** One `<…>` token, a code span, an emoji, a bare address, or a mark that may begin a phrase; the first that matches wins. */
const token =
  /`(?<code>[^`\n]+)`|<(?<angle>[^<>\n]+)>|(?<address>https?:\/\/[^\s<>|]*[^\s<>|.,;:!?'")\]])|(?<![\p{L}\p{N}]):(?<emoji>[a-z0-9_+-]+):(?![\p{L}\p{N}])|(?<![\p{L}\p{N}*_~`])(?<mark>[*_~])(?=\S)/gu;

/** A mark that may end a phrase, or the end of a line, beyond which none goes. */
const ending = /\n|(?<=\S)[*_~](?![\p{L}\p{N}*_~])/gu;

/**
 * Finds the end of a phrase; undefined without one. It walks the marks of a text once, from left to right: a new search
 * at every mark would take quadratic time.
 */
function endings(source: string) {
  const ends = Array.from(source.matchAll(ending), ({ 0: end, index }) => ({ end, index }));
  const passed: Record<string, number> = {};
  return (mark: string, from: number): number | undefined => {
    let next = passed[mark] ?? 0;
    const isBefore = (one: (typeof ends)[number]) =>
      one.index < from || (one.end !== mark && one.end !== '\n');
    for (let one = ends[next]; one !== undefined && isBefore(one); one = ends[next]) next += 1;
    passed[mark] = next;
    return ends[next]?.end === mark ? ends[next]?.index : undefined;
  };
}

const marks: Readonly<Record<string, Style>> = {
  '*': { bold: true },
  _: { italic: true },
  '~': { strike: true },
};

function angle(inside: string, styled: { readonly style?: Style }, date: WriteDate): Inline {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : unescaped(inside.slice(bar + 1));
  const rest = target.slice(1);
  if (target.startsWith('@')) return { type: 'user', user_id: rest, ...styled };
  if (target.startsWith('#')) return { type: 'channel', channel_id: rest, ...styled };
  const when = /^!date\^(\d+)\^([^^]*)(?:\^.*)?$/.exec(target);
  if (when) return { type: 'text', text: date(Number(when[1]), when[2] ?? '', label ?? ''), ...styled };
  if (target.startsWith('!subteam^')) return { type: 'usergroup', usergroup_id: target.slice(9), ...styled };
  if (['!here', '!channel', '!everyone'].includes(target))
    return { type: 'broadcast', range: rest, ...styled };
  if (target.startsWith('!')) return { type: 'text', text: label ?? `<${unescaped(target)}>`, ...styled };
  if (/^(https?:\/\/|mailto:|tel:)/i.test(target))
    return { type: 'link', url: unescaped(target), text: label ?? unescaped(target), ...styled };
  return { type: 'text', text: `<${unescaped(inside)}>`, ...styled };
}

/** Three are bold, italic and struck; a thousand stars before and after a word must not go a thousand deep. */
const deepest = 10;

/** The running text of one section or quote. */
function inline(source: string, date: WriteDate, style: Style = {}, depth = 0): Inline[] {
  const styled = Object.keys(style).length > 0 ? { style } : {};
  const found: Inline[] = [];
  const endOf = endings(source);
  /** The beginning of the unmatched text, and how much of it was searched. */
  let start = 0;
  let looked = 0;
  const text = (raw: string) => {
    if (raw) found.push({ type: 'text', text: unescaped(raw), ...styled });
  };
  const next = (rest: string) => {
    token.lastIndex = looked;
    return token.exec(rest);
  };
  let rest = source;
  for (let match = next(rest); match; match = next(rest)) {
    const { code, angle: inside, address, emoji, mark } = match.groups ?? {};
    let end = match.index + match[0].length;
    // A phrase has at least one letter.
    const close = mark === undefined || depth === deepest ? undefined : endOf(mark, start + end + 1);
    if (mark !== undefined && close === undefined) {
      looked = end;
      continue;
    }
    text(rest.slice(0, match.index));
    if (code) found.push({ type: 'text', text: unescaped(code), style: { ...style, code: true } });
    else if (inside) found.push(angle(inside, styled, date));
    else if (address)
      found.push({ type: 'link', url: unescaped(address), text: unescaped(address), ...styled });
    else if (emoji) found.push({ type: 'emoji', name: emoji });
    else if (mark !== undefined && close !== undefined) {
      const phrase = source.slice(start + end, close);
      for (const one of inline(phrase, date, { ...style, ...marks[mark] }, depth + 1)) found.push(one);
      end = close + 1 - start;
    }
    start += end;
    looked = 0;
    // The rest is read as a new text.
    rest = rest.slice(end);
  }
  text(rest);
  return found;
}

/** Quoted lines (`>` or, escaped as Slack stores it, `&gt;`) become one quote, the lines between them sections. */
function paragraphs(source: string, date: WriteDate): RichText[] {
  const found: RichText[] = [];
  const quoted = /^(?:>|&gt;) ?/;
  let lines: string[] = [];
  let inQuote = false;
  const flush = () => {
    if (lines.length > 0)
      found.push({
        type: inQuote ? 'rich_text_quote' : 'rich_text_section',
        elements: inline(lines.join('\n'), date),
      });
    lines = [];
  };
  for (const line of source.split('\n')) {
    if (quoted.test(line) !== inQuote) {
      flush();
      inQuote = !inQuote;
    }
    lines.push(inQuote ? line.replace(quoted, '') : line);
  }
  flush();
  return found;
}

/** A whole mrkdwn text: code fences first, as nothing inside them is formatting. */
export function mrkdwn(source: string, date: WriteDate): RichText[] {
  return source.split(/\n?```\n?/).flatMap((part, index, parts) => {
    if (index % 2 === 0) return part === '' ? [] : paragraphs(part, date);
    if (index === parts.length - 1) return paragraphs(`\`\`\`${part}`, date);
    return [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: unescaped(part) }] }];
  });
}

/** A plain_text: no formatting at all, but `:name:` is an emoji. */
export function plain(source: string): RichText[] {
  const elements = source
    .split(/((?<![\p{L}\p{N}]):[a-z0-9_+-]+:(?![\p{L}\p{N}]))/u)
    .filter((part) => part !== '')
    .map((part): Inline => {
      const name = /^:([a-z0-9_+-]+):$/.exec(part)?.[1];
      return name ? { type: 'emoji', name } : { type: 'text', text: unescaped(part) };
    });
  return [{ type: 'rich_text_section', elements }];
}
