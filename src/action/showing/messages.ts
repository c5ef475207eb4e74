import { z } from 'zod';
import { codec, optional, type Stored } from '../../codec.ts';
import { say, type Text, textShape } from '../../handlers/reply.ts';
import { type State, transitions } from '../../journal/actions/states.ts';
import { newId } from '../../journal/id.ts';
import type { Action, ToSend, Unsent } from '../../journal/journal.ts';
import type { AskedIn, Card, Listener, Place, Said, SaidPart, Thread } from '../base/chat.ts';
import { partShape, saidShape } from '../base/chat.ts';
import { lookupCard } from './card.ts';

const stateShape = z.custom<State>((value) => typeof value === 'string' && Object.hasOwn(transitions, value));

export type CardWords = Stored<typeof cardWordsShape>;
const cardWordsShape = z.object({ headline: textShape.optional(), notice: textShape.optional() });

/** What is written down of a message. */
export type Content = Stored<typeof contentShape>;
const contentShape = z.discriminatedUnion('kind', [
  /** The card of a change, as its action stands when it is sent; `words` while it is still in that state. */
  z.object({ kind: z.literal('draw'), state: stateShape, words: cardWordsShape }),
  /** The card of a lookup. */
  z.object({
    kind: z.literal('answer'),
    state: stateShape,
    headline: textShape,
    parts: z.array(partShape),
    /** When it was read: milliseconds since the epoch. */
    asOf: optional(z.number()),
  }),
  /** In the thread of the action's card. */
  z.object({ kind: z.literal('tell'), said: saidShape }),
  /** On its own, in a channel or to a person. */
  z.object({
    kind: z.literal('post'),
    channel: z.string(),
    said: saidShape,
    /** The action by which a site was asked for, of which whoever asked is told: those who decide hear when they could not be. */
    request: z.string().optional(),
  }),
  /** To a person alone, where they asked. */
  z.object({
    kind: z.literal('whisper'),
    channel: z.string(),
    person: z.string(),
    said: saidShape,
    thread: optional(z.string()),
  }),
]);

const contents = codec(contentShape);

export const drawCard = ({ id }: Pick<Action, 'id'>, state: State, words: CardWords = {}): ToSend =>
  message(orderingKeyOf(id), { kind: 'draw', state, words }, id);

export const answerCard = (
  { id }: Pick<Action, 'id'>,
  state: State,
  headline: Text,
  parts: readonly SaidPart[] = [],
  asOf?: number,
): ToSend =>
  message(
    orderingKeyOf(id),
    { kind: 'answer', state, headline, parts, ...(asOf !== undefined && { asOf }) },
    id,
  );

/** What is too long for one message is several, and each goes out once. */
export function tellBelow({ id }: Pick<Action, 'id'>, said: Said): readonly ToSend[] {
  const { headline, details = [], next = [], files = [] } = said;
  const first: readonly Said[] = headline.length + details.length === 0 ? [] : [{ headline, details }];
  const all = [...first, ...next, ...files.map((file): Said => ({ headline: [], files: [file] }))];
  return all.map((one) => message(orderingKeyOf(id), { kind: 'tell', said: one }, id));
}

export const notifyPerson = (person: string, said: Said): ToSend =>
  message(`person ${person}`, { kind: 'post', channel: person, said });

/** Somebody who has asked for a site is told how that stands. */
export const notifyAsker = (person: string, said: Said, request: string): ToSend =>
  message(`person ${person}`, { kind: 'post', channel: person, said, request });

/** Where it may have got out, it is said once more in a direct message. */
export const whisperTo = ({ channel, person, thread, inPerson }: Listener, said: Said): ToSend =>
  message(`person ${person}`, {
    kind: 'whisper',
    channel: inPerson ? person : channel,
    person,
    said,
    ...(thread !== undefined && { thread }),
  });

/** Nobody waits for these. */
export const inBackground = (messages: readonly ToSend[]): readonly ToSend[] =>
  messages.map((one) => ({ ...one, background: true }));

/** Messages of one action go out in their order. */
export const orderingKeyOf = (action: string): string => `action ${action}`;

/** Under a key of its own, by which it is one however often it is made. */
export const postOnce = (key: string, channel: string, said: Said): ToSend => ({
  ...message(`channel ${channel}`, { kind: 'post', channel, said }),
  key,
});

function message(orderingKey: string, content: Content, action?: string): ToSend {
  return { key: newId(), orderingKey, kind: content.kind, content: contents.store(content), action };
}

/** Undefined where it can no longer be read. A card is drawn as its action stands, whatever was to be said with it. */
export function contentOf(unsent: Unsent): Content | undefined {
  const whole = wholeOf(unsent);
  return (
    contents.read(whole) ?? (unsent.kind === 'draw' ? { kind: 'draw', state: 'asked', words: {} } : undefined)
  );
}

export const problemIn = (unsent: Unsent): string | undefined => contents.problemIn(wholeOf(unsent));

/** Its kind has a column of its own, which counts. */
const wholeOf = ({ kind, content }: Unsent): object => ({ ...(content as object), kind });

/** Where its card goes: into the channel, or where it was asked. */
export const placeOf = ({
  channel,
  direct,
  thread,
}: Pick<Action, 'channel' | 'direct' | 'thread'>): Place => ({
  channel: direct ?? channel,
  card: thread,
});

/** Where what stands below its card goes. Below an answer in a thread nothing can stand but in that thread. */
export const threadOf = (
  action: Pick<Action, 'channel' | 'direct' | 'thread' | 'card'> | undefined,
): Thread | undefined =>
  action?.card === undefined ? undefined : { ...placeOf(action), card: action.thread ?? action.card };

/** Where what an action leads to is asked. */
export const askedIn = ({ thread, direct }: Pick<Action, 'thread' | 'direct'>): AskedIn | undefined =>
  thread === undefined && direct === undefined ? undefined : { below: thread, direct };

/** What whoever asked is told in person, where it could not be said where they asked; `code` tells why. */
export function notSaid(action: Action, content: Content | undefined, code: string): Said {
  const why =
    content === undefined ? 'the answer is no longer available' : `Slack didn’t take it there (${code})`;
  const headline = say`This couldn’t be posted where you asked, because ${why}. You typed: ${action.line}`;
  const what: Said =
    content !== undefined && 'said' in content
      ? content.said
      : { headline: say`${action.outcome?.says ?? ''}` };
  return { headline, details: [{ kind: 'text', text: what.headline }, ...(what.details ?? [])] };
}

/** It says that an answer is waited for. */
export const isAnnouncement = (content: Content): boolean =>
  content.kind === 'answer' && content.state === 'running';

export const isPast = (content: Content, action: Action): boolean =>
  isAnnouncement(content) && action.state !== 'running';

/** The card of a lookup as it is to be shown now. */
export function answerNow(action: Action, content: Extract<Content, { kind: 'answer' }>): Card {
  if (isPast(content, action)) return lookupCard(action, say`${action.outcome?.says ?? ''}`);
  const { state, headline, parts, asOf } = content;
  return { ...lookupCard({ ...action, state }, headline, parts), asOf };
}
