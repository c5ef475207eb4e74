import { setImmediate as turn } from 'node:timers/promises';
import { ending } from '../../graphemes.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { code, type Offer, type Part, plural, type Reply, say, type Text } from '../../handlers/reply.ts';
import type { AskedIn, Attachment, Button, Chat, Listener, Said, SaidPart } from '../base/chat.ts';
import { chartIn } from './charts.ts';
import { builderButton, formButton, type Keeping } from './form-buttons.ts';
import { type KeptOffer, offerToKeep } from './kept-offer.ts';
import { resultToKeep } from './kept-result.ts';
import { isLong, lengthOf, pageOf, type ResultSource, type StoredResult } from './pages.ts';
import { csvOf, fileName, textOf, visible } from './plain-files.ts';

/**
 * Makes a message of a reply: what it offers becomes buttons, which are kept so that a click finds them. Long tables are
 * kept whole and show a page, long logs become files, and what is too much for one message goes into the next.
 */
export type Present = (reply: Reply, to: Audience) => Promise<Said>;

export interface Audience {
  readonly channel: string;
  /** Who alone may take what is offered. */
  readonly person?: string | undefined;
  readonly action?: string | undefined;
  /** Whose answer it is: its tables have pages, for whoever may run that; null where it is no command's. Without, they do not. */
  readonly source?: ResultSource | null | undefined;
  /** It stands alone, for one person: one message, and no thread for files. */
  readonly whispered?: boolean;
  /** Where it is said, if not in the channel itself: what comes of its buttons is said there, too. */
  readonly askedIn?: AskedIn | undefined;
}

/** How long an offer to one person may be taken, in milliseconds. */
const lifetime = 60 * 60_000;
/**
 * How long the pages of an answer may be turned, and an offer to a whole channel be taken: of what happens at night, people read in
 * the morning or on Monday.
 */
const lastingLifetime = 3 * 24 * 60 * 60_000;
/** Messages that one answer may take in a thread; what comes after them is a file. */
const mostMessages = 8;
/** So many rows are read where they are asked, and as a list beside a table. */
export const fewRows = 3;
/** Characters of the parts of one message, and what is counted for a page. */
const room = 8_000;
const pageSize = 3_000;
/** Rows of a table that are kept for paging: a few megabytes. */
const mostRows = 10_000;
/** Of a log, what is shown as it stands. */
const tail = { lines: 20, characters: 2_000 };

export interface PresentParts extends Keeping {
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
}

export function createPresent(parts: PresentParts): Present {
  const { journal, now } = parts;
  return async ({ headline, details = [] }, to) => {
    const files: Attachment[] = [];
    const said: SaidPart[] = [];
    for (const part of details) {
      if (part.kind === 'offers') {
        const buttons = await Promise.all(part.offers.map((offer) => keep(offer, to)));
        said.push({ kind: 'buttons', buttons: buttons.filter((button) => button !== undefined) });
      } else if (part.kind === 'table' && part.rows.length > mostRows) {
        // To word so many rows has taken its time, and others have their turn before all is written.
        await turn();
        said.push(...(await bounded(part, to, files)));
      } else if (part.kind === 'chart') {
        said.push(...chartIn(part, { whispered: to.whispered ?? false, line: to.source?.line }, files));
      } else if (part.kind === 'log') said.push(...shortened(part, to, files));
      else said.push(part);
    }
    const [first = [], ...others] = to.whispered ? [said] : messagesOf(said, isPaged(to));
    const posted = others.slice(0, mostMessages - 1);
    const rest = others.slice(mostMessages - 1).flat();
    if (rest.length > 0) {
      files.push({
        name: fileName(`${to.source?.line ?? 'answer'} rest`, 'txt'),
        title: 'The rest of the answer',
        content: textOf(rest),
        words: say`There is more than fits into ${mostMessages} messages: this file has the rest.`,
      });
    }
    const message = await settled(headline, first, to);
    const next = await Promise.all(posted.map((one) => settled([], one, to)));
    return { ...message, ...(files.length > 0 && { files }), ...(next.length > 0 && { next }) };
  };

  /** The first long table of a message gets pages; it is the only one, unless the message is a whisper. */
  async function settled(headline: Text, parts: readonly SaidPart[], to: Audience): Promise<Said> {
    const at = isPaged(to) ? parts.findIndex((part) => part.kind === 'table' && isLong(part)) : -1;
    const table = parts[at];
    if (table?.kind !== 'table') return { headline, details: parts };
    const stored: StoredResult = {
      holds: 'message',
      source: to.source ?? null,
      headline,
      before: parts.slice(0, at),
      table,
      after: parts.slice(at + 1),
    };
    const token = await journal.keep({
      kind: 'result',
      content: resultToKeep(stored),
      channel: to.channel,
      ...(to.whispered && { person: to.person }),
      action: to.action,
      until: now() + lastingLifetime,
    });
    return pageOf(stored, { token, page: 0, whispered: to.whispered ?? false });
  }

  async function keep(offer: Offer, to: Audience): Promise<Button | undefined> {
    if (offer.form !== undefined) return formButton(offer, to, parts);
    if (offer.build) return builderButton(offer.label, to, parts);
    const { label, line, guess, accessRequest, standing, loud, moves, each, asked, only } = offer;
    if (standing !== undefined) return { ...standing, label, about: line };
    const { channel, person, action, askedIn } = to;
    const content: KeptOffer = {
      line,
      ...(guess && { guess }),
      ...(accessRequest && { accessRequest }),
      ...(moves && { moves, agreed: true }),
      ...(each && { each }),
      ...(asked && { asked }),
      ...(askedIn !== undefined && { askedIn }),
    };
    const token = await journal.keep({
      kind: 'offer',
      content: offerToKeep(content),
      channel,
      person: person ?? only,
      action,
      until: now() + (person === undefined ? lastingLifetime : lifetime),
    });
    return { press: 'offer', label, token, ...(loud && { style: 'danger' }) };
  }
}

const isPaged = ({ source }: Audience): boolean => source !== undefined;

/**
 * Parts in messages of their own where they are too much for one: a message has room for one table that pages, with the
 * text above it, and Slack draws one. More than a few rows of another stand in a message after it, where all have room.
 */
function messagesOf(parts: readonly SaidPart[], paged: boolean): readonly (readonly SaidPart[])[] {
  const isTable = ({ kind }: SaidPart) => kind === 'table';
  const hasRoom = parts.filter(isTable).length <= mostMessages;
  const isDrawn = (part: SaidPart) => part.kind === 'table' && hasRoom && part.rows.length > fewRows;
  // Its numbers follow it, and do not stand in the same message twice.
  const isChart = ({ kind }: SaidPart) => kind === 'chart';
  const long = (part: SaidPart) => part.kind === 'table' && paged && isLong(part);
  const size = (group: readonly SaidPart[]) =>
    group.reduce((sum, part) => sum + (long(part) ? pageSize : lengthOf([part])), 0);
  const messages: SaidPart[][] = [];
  let message: SaidPart[] = [];
  for (const group of groupsOf(parts)) {
    const both = [...message, ...group];
    const crowded =
      group.some(isTable) &&
      (message.some(isChart) || (message.some(isTable) && (both.some(long) || group.some(isDrawn))));
    if (message.length > 0 && (crowded || size(both) > room)) {
      messages.push(message);
      message = [];
    }
    message.push(...group);
  }
  return [...messages, message];
}

/** What stands together: a text and what it is about. */
function groupsOf(parts: readonly SaidPart[]): readonly (readonly SaidPart[])[] {
  const groups: SaidPart[][] = [];
  let open = false;
  for (const part of parts) {
    const group = groups.at(-1);
    if (group !== undefined && (open || part.kind === 'buttons')) group.push(part);
    else groups.push([part]);
    open = part.kind === 'text';
  }
  return groups;
}

/** Of a table that is too long to be kept whole the first rows, which page; all of it becomes a file. */
async function bounded(
  table: Extract<Part, { kind: 'table' }>,
  { whispered = false, source }: Audience,
  files: Attachment[],
): Promise<readonly SaidPart[]> {
  const count = table.rows.length.toLocaleString('en');
  const name = fileName(source?.line ?? 'answer', 'csv');
  if (!whispered) files.push({ name, title: 'All rows', content: await csvOf(table) });
  const where = whispered ? say`the others have no room here` : say`all of them are in ${code(name)}`;
  return [
    {
      kind: 'text',
      text: say`${count} rows, of which these are the first ${mostRows.toLocaleString('en')}; ${where}:`,
    },
    { ...table, rows: table.rows.slice(0, mostRows) },
  ];
}

/** Of a long log the last lines, which say how it ended; all of it becomes a file. */
function shortened(
  log: Extract<Part, { kind: 'log' }>,
  { whispered = false }: Audience,
  files: Attachment[],
): readonly SaidPart[] {
  const text = visible(log.text).trimEnd();
  const lines = text.split('\n');
  if (lines.length <= tail.lines && text.length <= tail.characters) return [{ ...log, text }];
  const shown = ending(lines.slice(-tail.lines).join('\n'), tail.characters);
  const name = fileName(log.name, log.name.endsWith('.txt') ? 'txt' : 'log');
  if (!whispered) files.push({ name, title: log.name, content: `${text}\n` });
  const count = shown.split('\n').length;
  const last = count === 1 ? say`The end of it` : say`The last ${count} of ${lines.length} lines`;
  const where = whispered ? say`the rest has no room here` : say`all of it is in ${code(name)}`;
  return [
    { kind: 'text', text: say`${last}; ${where}:` },
    { ...log, text: shown },
  ];
}

/** Tells one person alone, who is also the only one that may take what is offered. */
export type Whisper = (
  to: Listener,
  reply: Reply,
  action?: string,
  /** What it answers, where that is more than what became of a line. */
  source?: ResultSource,
) => Promise<void>;

export function createWhisper(chat: Pick<Chat, 'ephemeral'>, present: Present): Whisper {
  return async (to, reply, action, source = undefined) => {
    const { channel, person, askedIn } = to;
    if (to.forSite !== undefined) return;
    const audience = { channel, person, askedIn, action, source: source ?? null, whispered: true };
    return chat.ephemeral(to, await present(reply, audience));
  };
}

/** Says once that Slack holds up what somebody has asked for, by milliseconds. */
export function tellHeldUp(whisper: Whisper, listener: Listener): (milliseconds: number) => void {
  let isTold = false;
  return (milliseconds) => {
    // Any other way to them is held up as well.
    if (isTold || listener.replyTo === undefined) return;
    isTold = true;
    const headline = say`Slack limits how fast messages are posted here. Your answer follows in about ${plural(Math.ceil(milliseconds / 1_000), 'second')}.`;
    void whisper(listener, { headline });
  };
}
