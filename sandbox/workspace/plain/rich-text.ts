import { date, plain, type Reading } from './text.ts';

type Part = Readonly<Record<string, unknown>>;

/** A rich_text block as lines of plain text: lists with their bullets, quotes and code behind a bar. */
export function richText(block: Part, reading: Reading): string[] {
  const counts = new Map<number, number>();
  return children(block).flatMap((part) => {
    const text = (): string => inline(children(part), reading);
    switch (part.type) {
      case 'rich_text_list':
        return listLines(part, counts, reading);
      case 'rich_text_quote':
        return text()
          .split('\n')
          .map((line) => `▎ ${line}`);
      case 'rich_text_preformatted':
        return text()
          .split('\n')
          .map((line) => `  ${line}`);
      default:
        counts.clear();
        return text().replace(/\n$/, '').split('\n');
    }
  });
}

/** Numbered lists continue after the last one of the same indent, as Slack shows them. */
function listLines(list: Part, counts: Map<number, number>, reading: Reading): string[] {
  const indent = Number(list.indent ?? 0);
  const margin = '  '.repeat(indent);
  return children(list).map((item) => {
    const count = (counts.get(indent) ?? Number(list.offset ?? 0)) + 1;
    counts.set(indent, count);
    const mark = list.style === 'ordered' ? `${count}.` : '•';
    return `${margin}${mark} ${inline(children(item), reading).replaceAll('\n', `\n${margin}  `)}`;
  });
}

function inline(elements: readonly Part[], reading: Reading): string {
  return elements.map((element) => one(element, reading)).join('');
}

function one(element: Part, reading: Reading): string {
  switch (element.type) {
    case 'text':
      return String(element.text);
    case 'link':
      return element.text === undefined || element.text === element.url
        ? String(element.url)
        : `${element.text} (${element.url})`;
    case 'user':
      return `@${reading.person(String(element.user_id))}`;
    case 'usergroup':
      return `@${reading.group(String(element.usergroup_id))}`;
    case 'channel':
      return `#${reading.channel(String(element.channel_id))}`;
    case 'broadcast':
      return `@${element.range}`;
    case 'emoji':
      return typeof element.unicode === 'string' ? fromUnicode(element.unicode) : plain(`:${element.name}:`);
    case 'date':
      return date(Number(element.timestamp), String(element.format), reading);
    default:
      return String(element.value ?? '');
  }
}

/** `1f6a8` or `1f1e9-1f1ea`. */
function fromUnicode(hex: string): string {
  return String.fromCodePoint(...hex.split('-').map((point) => Number.parseInt(point, 16)));
}

function children(part: Part): readonly Part[] {
  return Array.isArray(part.elements) ? part.elements : [];
}
