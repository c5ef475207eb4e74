import type { MessageShortcut } from '../../action/intake/shortcuts.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a message shortcut is about, out of the message as Slack sends it (slack-facts.md §2): its links, its texts and its
 * files. People and other apps write messages of every shape, so nothing in it is relied upon.
 */
export function readMessage(message: unknown): MessageShortcut['message'] {
  const { text, blocks, attachments, files } = fieldsOf(message);
  const found: Found = { links: [], texts: [] };
  take(found.texts, text);
  walk(blocks, found, 0);
  for (const attachment of listOf(attachments).map(fieldsOf)) readAttachment(attachment, found);
  return { ...found, files: filesOf(files) };
}

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
  if (attachment.from_url !== undefined && attachment.is_msg_unfurl !== true) return;
  take(found.links, attachment.title_link);
  for (const name of ['pretext', 'title', 'text', 'fallback']) take(found.texts, attachment[name]);
  for (const { value } of listOf(attachment.fields).map(fieldsOf)) take(found.texts, value);
  walk(attachment.blocks, found, 0);
  walk(attachment.message_blocks, found, 0);
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
