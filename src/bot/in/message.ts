import type { ForwardedMessage } from '../../action/base/chat.ts';
import type { MessageShortcut } from '../../action/intake/shortcuts.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a message shortcut is about, out of the message as Slack sends it (slack-facts.md §2): its links, its texts and its
 * files, and those of the messages that are forwarded in it. People and other apps write messages of every shape, so nothing
 * in it is relied upon.
 */
export function readMessage(message: unknown): MessageShortcut['message'] {
  const { text, blocks, attachments, files } = fieldsOf(message);
  const found: Found = { links: [], texts: [] };
  take(found.texts, text);
  walk(blocks, found, 0);
  for (const attachment of listOf(attachments).map(fieldsOf)) {
    if (!isForward(attachment)) readAttachment(attachment, found);
  }
  const forwards = forwardsIn(attachments);
  return {
    links: [...found.links, ...forwards.flatMap(({ links }) => links)].filter(
      (link) => !isPermalink(link, forwards),
    ),
    texts: [...found.texts, ...forwards.flatMap(({ texts }) => texts)].map((one) =>
      withoutPermalinks(one, forwards),
    ),
    files: [...filesOf(files), ...filesIn(forwards)],
  };
}

/** A message that somebody has forwarded, or to which they have pasted the link: what stands in it is what they mean. */
interface Forward extends ForwardedMessage {
  /** Slack's own link to the message, which is no link of theirs. */
  readonly permalink: string;
  readonly files: MessageShortcut['message']['files'];
}

/** The forwarded messages among the attachments of a message; what those have forwarded as well comes after them. */
export function forwardsIn(attachments: unknown, depth = 0): readonly Forward[] {
  if (depth > deepest) return [];
  return listOf(attachments)
    .map(fieldsOf)
    .filter(isForward)
    .flatMap((attachment) => {
      const { text, title, blocks, message_blocks, files, from_url } = attachment;
      const originals = listOf(message_blocks).map(fieldsOf);
      const messages = originals.map(({ message }) => fieldsOf(message));
      const found: Found = { links: [], texts: [] };
      for (const one of [title, text]) take(found.texts, one);
      walk(
        [blocks, originals.filter(({ message }) => message === undefined), messages.map((one) => one.blocks)],
        found,
        0,
      );
      const inner = [
        ...listOf(attachment.attachments),
        ...messages.flatMap((one) => listOf(one.attachments)),
      ];
      for (const one of inner.map(fieldsOf)) if (!isForward(one)) readAttachment(one, found);
      return [
        {
          ...found,
          text: typeof text === 'string' ? text : '',
          permalink: typeof from_url === 'string' ? from_url : '',
          files: [...filesOf(files), ...messages.flatMap((one) => filesOf(one.files))],
        },
        ...forwardsIn(inner, depth + 1),
      ];
    });
}

const isForward = ({ is_share, is_msg_unfurl }: Fields): boolean =>
  is_share === true || is_msg_unfurl === true;

/** The files of forwarded messages, each once. */
export const filesIn = (forwards: readonly Forward[]): Forward['files'] => [
  ...new Map(forwards.flatMap(({ files }) => files.map((file) => [file.id, file]))).values(),
];

/** A text without Slack's own links to the messages that are forwarded with it. */
export const withoutPermalinks = (text: string, forwards: readonly Forward[]): string =>
  text.replace(/<(https?:[^|<>]+)(?:\|[^<>]*)?>/g, (whole, link: string) =>
    isPermalink(link, forwards) ? '' : whole,
  );

const isPermalink = (link: string, forwards: readonly Forward[]): boolean => {
  const plain = link.replaceAll('&amp;', '&');
  return forwards.some(({ permalink }) => permalink !== '' && plain === permalink);
};

interface Found {
  readonly links: string[];
  readonly texts: string[];
}

/** Deeper nobody nests blocks. */
const deepest = 12;

/** Links and texts stand at many depths of Block Kit, always under the same names. */
function walk(value: unknown, found: Found, depth: number): void {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    for (const one of value) walk(one, found, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    const { text, url, type, ...others } = fieldsOf(value);
    if (type === 'link' || type === 'button') take(found.links, url);
    if (typeof text === 'string') take(found.texts, text);
    else walk(text, found, depth + 1);
    for (const other of Object.values(others)) {
      if (typeof other === 'object') walk(other, found, depth + 1);
    }
  }
}

/** What an app has attached; of what Slack itself shows of a link, only the link is part of the message. */
function readAttachment(attachment: Fields, found: Found): void {
  take(found.links, attachment.from_url);
  if (attachment.from_url !== undefined) return;
  take(found.links, attachment.title_link);
  for (const name of ['pretext', 'title', 'text', 'fallback']) take(found.texts, attachment[name]);
  for (const { value } of listOf(attachment.fields).map(fieldsOf)) take(found.texts, value);
  walk(attachment.blocks, found, 0);
}

/** The files of a message. */
export const filesOf = (files: unknown): MessageShortcut['message']['files'] =>
  listOf(files).map(fieldsOf).flatMap(readFile);

/** A stub from another organisation may have no name and no size (slack-facts.md §7); what has no ID cannot be fetched. */
function readFile({ id, name, title, size }: Fields): MessageShortcut['message']['files'] {
  if (typeof id !== 'string') return [];
  const called = [name, title].find((one) => typeof one === 'string' && one !== '');
  return [{ id, name: String(called ?? ''), size: typeof size === 'number' ? size : 0 }];
}

function take(into: string[], value: unknown): void {
  if (typeof value === 'string' && value !== '') into.push(value);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Whatever it is, its fields can be asked for. */
const fieldsOf = (value: unknown): Fields => Object(value) as Fields;
