import type { KnownBlock } from '@slack/types';

/** The newer kinds of block, newest first. Some workspaces refuse some of them (slack-facts.md §3). */
const newer = ['data_visualization', 'table'] as const;
export type NewerBlock = (typeof newer)[number];

/** The features of a workspace for drawing messages. */
export interface Palette {
  /** Accepted newer blocks; others are drawn in fixed width. */
  readonly blocks: ReadonlySet<NewerBlock>;
  /** The workspace's address, such as `https://acme.slack.com/`; undefined if unknown. */
  readonly workspace: string | undefined;
  /** The address of a ticket, by its name; undefined if unknown. */
  readonly ticketAt: TicketAt | undefined;
}

export type TicketAt = (ticket: string) => string | undefined;

const nowhere = { workspace: undefined, ticketAt: undefined };
export const fullPalette: Palette = { blocks: new Set(newer), ...nowhere };
export const plainPalette: Palette = { blocks: new Set(), ...nowhere };

export const without = (palette: Palette, refused: NewerBlock): Palette => ({
  ...palette,
  blocks: new Set([...palette.blocks].filter((kind) => kind !== refused)),
});

/**
 * The newer block to leave out after a refusal: the one that Slack points at, otherwise the newest in the
 * message. Undefined if there is none, or if Slack points at something else, which means that the message is
 * wrong.
 */
export function refusedBlock(
  blocks: readonly KnownBlock[],
  problems: readonly string[] = [],
): NewerBlock | undefined {
  const pointed = problems.flatMap((problem) => {
    const [, index] = /\[json-pointer:(?:\/view)?\/blocks\/(\d+)/.exec(problem) ?? [];
    return index === undefined ? [] : [blocks[Number(index)]?.type];
  });
  const suspects = pointed.length > 0 ? pointed : blocks.map(({ type }) => type);
  return newer.find((kind) => suspects.some((type) => isKind(type, kind)));
}

// Slack's own types lack some of the newer ones.
const isKind = (type: string | undefined, kind: NewerBlock): boolean => type === kind;
