import type { KnownBlock } from '@slack/types';

/** The newer kinds of block. Not every workspace takes every one yet (slack-facts.md §3); the newest stands first. */
const newer = ['data_visualization', 'table'] as const;
export type NewerBlock = (typeof newer)[number];

/** What a message can be drawn with in a workspace. */
export interface Palette {
  /** The newer kinds of block that it takes; for the others there is a drawing in fixed-width letters. */
  readonly blocks: ReadonlySet<NewerBlock>;
  /** Whether what it shows can be opened there (`entity.ts`), which only a message can that is posted. */
  readonly entities: boolean;
  /** Where its messages open, such as `https://acme.slack.com/`; undefined where that is not known. */
  readonly workspace: string | undefined;
  /** Where a ticket opens, by its name; undefined where that is not known. */
  readonly ticketAt: TicketAt | undefined;
}

export type TicketAt = (ticket: string) => string | undefined;

const nowhere = { workspace: undefined, ticketAt: undefined };
export const fullPalette: Palette = { blocks: new Set(newer), entities: true, ...nowhere };
export const plainPalette: Palette = { blocks: new Set(), entities: false, ...nowhere };

/** All the same, but without this kind of block. */
export const without = (palette: Palette, refused: NewerBlock): Palette => ({
  ...palette,
  blocks: new Set([...palette.blocks].filter((kind) => kind !== refused)),
});

/**
 * Which newer kind of block a refused message is to be drawn without: the one that Slack points at, else the newest in
 * it. Undefined when there is none, or Slack points at something else: then it is the message that is wrong.
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

// Slack's own types do not know all of the newer ones.
const isKind = (type: string | undefined, kind: NewerBlock): boolean => type === kind;
