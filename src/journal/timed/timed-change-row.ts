/** A timed change: what is known of it, and how that is read from its row. */

import type { Selectable } from 'kysely';
import { z } from 'zod';
import { codec, type Stored } from '../../codec.ts';
import { parsed } from '../json.ts';
import type { TimedChangesTable } from '../tables.ts';

/** The states of what is not over. */
export const notOver = ['on', 'ending'] as const;

/** Something that an action has switched on for a time, and that the bot itself must end. */
export interface NewTimedChange {
  readonly action: string;
  readonly appliance: string;
  /** Of which an appliance has one at a time: the phrase that ends it, or the action itself where its undo does. */
  readonly subject: string;
  readonly channel: string;
  /** Who asked for it, and why. */
  readonly person: string;
  readonly reason: string;
  /** Milliseconds since the epoch, like every moment here. */
  readonly endsAt: number;
}

export interface TimedChangeRow extends NewTimedChange {
  readonly id: number;
  /** `ending`: its time is over, and the bot tries to end it until it is seen to be over. */
  readonly state: TimedChangesTable['state'];
  readonly startedAt: number;
  readonly extensions: readonly Extension[];
  /** The line that takes it back, without its appliance: known when the change was made. */
  readonly undoLine: string | undefined;
  /** What it has left, as the fingerprint of the preview of that line. */
  readonly left: Left | undefined;
  /** Whether it was seen on the appliance, so that not to see it any more means something. */
  readonly seen: boolean;
  /** How often it was ordered to end; counted before the order leaves. */
  readonly orders: number;
  /** The last of these may be on its way: whoever was at it has not written down what came of it. */
  readonly isOrderInDoubt: boolean;
  /** How often it could not be ended, why the last time, and when it is tried again. */
  readonly tries: number;
  readonly lastProblem: string | undefined;
  readonly nextTryAt: number;
  readonly ended: Ended | undefined;
  /** The message that has reminded people of an end, and of which one. */
  readonly reminder: { readonly message: string; readonly endsAt: number } | undefined;
  /** The message that becomes the report. */
  readonly report: string | undefined;
}

/** What a preview shows of what it is about, to be compared with another one. */
export type Left = Stored<typeof leftShape>;
const leftShape = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** What has put the end off. */
export type Extension = Stored<typeof extensionShape>;
const extensionShape = z.object({
  action: z.string(),
  at: z.number(),
  until: z.number(),
  /** The end before. */
  from: z.number().optional(),
});

/** How it ended. */
export type Ended = Stored<typeof endedShape>;
const endedShape = z.object({
  at: z.number(),
  /**
   * `ended`: the bot did it. `found`: it was over when the bot looked. `person`: somebody's order did it. `confirmed`:
   * somebody has looked, and says so. `kept`: somebody wants it to stay. `replaced`: another one will end it.
   */
  how: z.enum(['ended', 'found', 'person', 'confirmed', 'kept', 'replaced']),
  person: z.string().optional(),
  /** The action that did it, where that was none of the bot's own: its undo brings back what it has ended. */
  by: z.string().optional(),
  /** What was seen, or why that person says so. Plain text. */
  says: z.string(),
});

/** Whether its end was ordered and accepted, and nothing on the appliance could show it: then `says` begins like that. */
export const unverified = 'Accepted, not verified';
export const isUnverified = ({ says }: Pick<Ended, 'says'>): boolean => says.startsWith(unverified);

/** Whether what takes its action back ends it: what a command itself says to be timed is ended by a command of its own. */
export const isPutBack = ({ action, subject }: Pick<NewTimedChange, 'action' | 'subject'>): boolean =>
  subject === action;

/** Whether what it did is still there for its undo to take back: what was kept is. */
export const isLeftToItsUndo = (
  row: Pick<TimedChangeRow, 'action' | 'subject' | 'state' | 'ended'>,
): boolean => !isPutBack(row) || row.state !== 'over' || row.ended?.how === 'kept';

/** The newest moment of all that is told of it. */
export const newestOf = ({
  startedAt,
  extensions,
  ended,
}: Pick<TimedChangeRow, 'startedAt' | 'extensions' | 'ended'>): number =>
  Math.max(startedAt, ended?.at ?? 0, ...extensions.map(({ at }) => at));

const extensions = codec(z.array(extensionShape));
const endings = codec(endedShape);
const lefts = codec(leftShape);
/** That it is over has a column of its own, which counts. */
const unreadable: Ended = { at: 0, how: 'found', says: 'The result can no longer be read.' };

export const extensionsIn = (text: string): readonly Extension[] => extensions.read(parsed(text)) ?? [];

/** The same as it is by now; as it was, where it is not there any more. */
export const rowNow = async (
  { timedChangesOf }: { readonly timedChangesOf: (action: string) => Promise<readonly TimedChangeRow[]> },
  row: TimedChangeRow,
): Promise<TimedChangeRow> => (await timedChangesOf(row.action)).find(({ id }) => id === row.id) ?? row;

export const readOne = (row: Selectable<TimedChangesTable> | undefined): TimedChangeRow | undefined =>
  row === undefined ? undefined : readTimedChange(row);

export function readTimedChange(row: Selectable<TimedChangesTable>): TimedChangeRow {
  return {
    id: row.id,
    state: row.state,
    action: row.action,
    appliance: row.appliance,
    subject: row.subject,
    channel: row.channel,
    person: row.person,
    reason: row.reason,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    extensions: extensionsIn(row.extensions_json),
    undoLine: row.undo_line ?? undefined,
    left: row.left_json === null ? undefined : lefts.read(parsed(row.left_json)),
    seen: row.seen === 1,
    orders: row.orders,
    isOrderInDoubt: row.ordered_at !== null,
    tries: row.tries,
    lastProblem: row.last_problem ?? undefined,
    nextTryAt: row.next_try_at,
    ended: row.ended_json === null ? undefined : (endings.read(parsed(row.ended_json)) ?? unreadable),
    reminder:
      row.reminder === null || row.reminded === null
        ? undefined
        : { message: row.reminder, endsAt: row.reminded },
    report: row.report ?? undefined,
  };
}
