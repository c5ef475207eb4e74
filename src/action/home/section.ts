import { clock, messageLink, type Offer, say, strong, type Text } from '../../handlers/reply.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import type { Button, SaidPart } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';

/** A part of a person's own page. */
export interface Section {
  /** Where two are the same, so is what is seen, whatever the buttons carry. */
  readonly key: unknown;
  /** Keeps what its buttons stand for: only what is shown is drawn. */
  readonly parts: () => Promise<readonly SaidPart[]>;
}

/** Whose page it is, and the channels that they are in and have a role in. */
export interface Viewer {
  readonly person: string;
  readonly channels: readonly { readonly id: string; readonly name: string }[];
}

/** What is on for a time in their channels: it stands on top of the page, and is told nowhere else on it. */
export const onFor = async (
  { journal }: Pick<Parts, 'journal'>,
  { channels }: Viewer,
): Promise<readonly TimedChangeRow[]> =>
  (await journal.timedChanges()).filter(({ channel }) => channels.some(({ id }) => id === channel));

/** So many are looked through for those that are shown. */
export const mostLooked = 50;

export const heading = (title: string): SaidPart => ({ kind: 'section', title });

/** What one thing of a section is about, in one weight, and below it what is known of it. */
export const item = (what: Text, more: Text, mark = ''): readonly SaidPart[] => [
  { kind: 'text', text: [mark, ...what.map((span) => (typeof span === 'string' ? strong(span) : span))] },
  { kind: 'text', text: more },
];

export const until = ({ expiresAt }: Action): Text =>
  expiresAt === undefined ? [] : say`, expires ${clock(expiresAt)}`;

export const seeCard = ({ channel, direct, card }: Action): Text =>
  card === undefined ? [] : say` (${messageLink('open', direct ?? channel, card)})`;

/** What has no room. */
export const rest = (count: number, shown: number, way: Text = []): readonly SaidPart[] =>
  count <= shown ? [] : [{ kind: 'text', text: say`… and ${count - shown} more.${way}` }];

/** Buttons of this person's own, which count in that channel. */
export async function buttonsFor(
  { present }: Pick<Parts, 'present'>,
  offers: readonly Offer[],
  to: { readonly channel: string; readonly person: string },
): Promise<readonly Button[]> {
  const reply = { headline: [], details: [{ kind: 'offers', offers }] } as const;
  const { details = [] } = await present(reply, { ...to, whispered: true });
  return details.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []));
}
