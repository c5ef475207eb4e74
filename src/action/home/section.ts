import type { AnyCommand } from '../../handlers/command.ts';
import { clock, messageLink, type Offer, say, strong, type Text } from '../../handlers/reply.ts';
import { temporary } from '../../handlers/temporary/temporary.commands.ts';
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

/**
 * Whether a list may be shown on somebody's page of that channel and these appliances: whether they may ask for it there themselves,
 * and nobody else has to agree.
 */
export async function mayList(
  { authority }: Pick<Parts, 'authority'>,
  { person, channels }: Viewer,
  command: AnyCommand,
): Promise<(channel: string, appliances: readonly string[]) => boolean> {
  const decisions = new Map(
    await Promise.all(
      channels.map(
        async ({ id: channel }) =>
          [channel, await authority.decideEach({ person, channel, command, access: 'run' })] as const,
      ),
    ),
  );
  return (channel, appliances) => {
    const wanted = { args: {}, appliances, lasts: 'forGood' } as const;
    const decision = appliances.length === 0 ? undefined : decisions.get(channel)?.(wanted);
    return (
      decision?.allow === true &&
      authority.approvalFor({ command, ...wanted }, decision.by).kind === 'not_needed'
    );
  };
}

/** What is on for a time in their channels, as `temporary` lists it: it stands on top of the page, and is told nowhere else on it. */
export async function onFor(
  parts: Pick<Parts, 'journal' | 'authority'>,
  viewer: Viewer,
): Promise<readonly TimedChangeRow[]> {
  const may = await mayList(parts, viewer, temporary);
  return (await parts.journal.timedChanges()).filter(({ channel, appliance }) => may(channel, [appliance]));
}

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
