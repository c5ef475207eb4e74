import { say, type Text } from '../../handlers/reply.ts';
import type { State } from '../../journal/actions/states.ts';
import { newId } from '../../journal/id.ts';
import type { Action, Json, ToSend, Unsent } from '../../journal/journal.ts';
import type { Card, Said, SaidPart } from '../base/chat.ts';
import { lookupCard } from './card.ts';

/** What is written down of a message. */
export type Content =
  /** The card of a change, as its action stands when it is sent; `words` while it is still in that state. */
  | { readonly kind: 'draw'; readonly state: State; readonly words: CardWords }
  /** The card of a lookup. */
  | {
      readonly kind: 'answer';
      readonly state: State;
      readonly headline: Text;
      readonly parts: readonly SaidPart[];
    }
  /** In the thread of the action's card. */
  | { readonly kind: 'tell'; readonly said: Said }
  /** On its own, in a channel or to a person. */
  | { readonly kind: 'post'; readonly channel: string; readonly said: Said }
  /** To a person alone, where they asked. */
  | { readonly kind: 'whisper'; readonly channel: string; readonly person: string; readonly said: Said };

export interface CardWords {
  readonly headline?: Text;
  readonly notice?: Text;
}

export const drawCard = ({ id }: Pick<Action, 'id'>, state: State, words: CardWords = {}): ToSend =>
  message(orderingKeyOf(id), { kind: 'draw', state, words }, id);

export const answerCard = (
  { id }: Pick<Action, 'id'>,
  state: State,
  headline: Text,
  parts: readonly SaidPart[] = [],
): ToSend => message(orderingKeyOf(id), { kind: 'answer', state, headline, parts }, id);

/** What is too long for one message is several, and each goes out once. */
export function tellBelow({ id }: Pick<Action, 'id'>, said: Said): readonly ToSend[] {
  const { headline, details = [], next = [], files = [] } = said;
  const first: readonly Said[] = headline.length + details.length === 0 ? [] : [{ headline, details }];
  const all = [...first, ...next, ...files.map((file): Said => ({ headline: [], files: [file] }))];
  return all.map((one) => message(orderingKeyOf(id), { kind: 'tell', said: one }, id));
}

export const notifyPerson = (person: string, said: Said): ToSend =>
  message(`person ${person}`, { kind: 'post', channel: person, said });

/** Nobody can look whether it got out: right after a crash it may be said a second time. */
export const whisperTo = ({ channel, person }: Pick<Action, 'channel' | 'person'>, said: Said): ToSend =>
  message(`person ${person}`, { kind: 'whisper', channel, person, said });

/** Messages of one action go out in their order. */
export const orderingKeyOf = (action: string): string => `action ${action}`;

function message(orderingKey: string, { kind, ...content }: Content, action?: string): ToSend {
  // Texts and parts of a reply are JSON by construction (`handlers/reply.ts`).
  return { key: newId(), orderingKey, kind, content: content as unknown as Json, action };
}

// What was written down as a message is one of these (`message`).
export const contentOf = ({ kind, content }: Unsent): Content =>
  ({ kind, ...(content as object) }) as unknown as Content;

/** It says that an answer is waited for. */
export const isAnnouncement = (content: Content): boolean =>
  content.kind === 'answer' && content.state === 'running';

export const isPast = (content: Content, action: Action): boolean =>
  isAnnouncement(content) && action.state !== 'running';

/** The card of a lookup as it is to be shown now. */
export function answerNow(action: Action, content: Extract<Content, { kind: 'answer' }>): Card {
  if (isPast(content, action)) return lookupCard(action, say`${action.outcome?.says ?? ''}`);
  return lookupCard({ ...action, state: content.state }, content.headline, content.parts);
}
