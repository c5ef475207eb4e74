import { isDeepStrictEqual } from 'node:util';
import { type AskedAppliance, extentOf, IncompleteList } from '../api/index.ts';
import { lacking } from './argument.ts';
import type { ChangeDeclaration } from './command.ts';
import type { AskingAppliance } from './context.ts';
import { type Part, plural, say, strong, type Text } from './reply.ts';
import { type Fingerprint, notSeenNow, type Verification } from './results.ts';
import { readIn, settle } from './wording/answer.ts';

/**
 * A list of the appliance in which commands look for things. What is in it is there. What is not in it is gone, or does not exist,
 * only where all of the list came: an appliance that restarts answers with an empty, `null` or shortened list, and a long list may
 * come in pages. Whether something is missing is decided here and nowhere else.
 *
 * All of a list came where it says how many there are, and as many came; or where all others are in it that were in it right
 * before the order. One without entries needs more: another answer that counts none, or the proof that its service runs.
 */
export interface Listing<Found> {
  /** "members" */
  readonly things: string;
  readonly look: (appliance: AskedAppliance) => Promise<Look<Found>>;
  /**
   * All that came, each once.
   * @param misses whether something that matters is missing from what came
   * @throws IncompleteList where it is, and not all of them came
   */
  readonly see: (
    appliance: AskedAppliance,
    misses: (all: readonly Found[]) => boolean,
    since?: Since,
  ) => Promise<readonly Found[]>;
  /** The first that fits, and all that came. @throws IncompleteList where none fits, and not all of them came */
  readonly seek: (
    appliance: AskedAppliance,
    fits: (one: Found) => boolean,
    since?: Since,
  ) => Promise<{ readonly found: Found | undefined; readonly all: readonly Found[] }>;
  /** Who is in it now, for the fingerprint. */
  readonly inventory: (appliance: AskedAppliance) => Promise<string>;
}

/** A list as far as it came. */
export interface Look<Found> {
  /** Each once. */
  readonly all: readonly Found[];
  /** How many there are, where the appliance says that more than came. */
  readonly of: number | undefined;
  /** Why it does not show that something is missing from it, as it goes on after the appliance's name: "listed only 5 of 12 members". */
  readonly lack: string | undefined;
}

/** What was there right before an order, and the keys of what the order itself takes away. */
interface Since {
  readonly shown: Fingerprint;
  readonly without?: readonly (string | number)[];
}

export interface ListingDeclaration<Found> {
  readonly things: string;
  /** The list as a call returned it, or one that was made of that entry by entry (`withExtent`). */
  readonly read: (appliance: AskedAppliance) => Promise<readonly Found[]>;
  readonly keyOf: (one: Found) => string | number;
  /** How many there are by another answer of the appliance; undefined where it does not tell. */
  readonly count?: (appliance: AskedAppliance) => Promise<number | undefined>;
  /** Whether the service that keeps the list is seen to run. */
  readonly isUp?: (appliance: AskedAppliance) => Promise<boolean>;
}

export function listing<Found>({
  things,
  read,
  keyOf,
  count = async () => undefined,
  isUp = async () => false,
}: ListingDeclaration<Found>): Listing<Found> {
  const keysOf = (all: readonly Found[]): readonly string[] => all.map((one) => String(keyOf(one)));

  const anyLack = (_: readonly Found[]): boolean => true;

  /** Without what came twice. What only has the same key may be two things. */
  const once = (list: readonly Found[]): readonly Found[] =>
    [...Map.groupBy(list, keyOf).values()].flatMap((same) =>
      same.filter((one, at) => !same.slice(0, at).some((earlier) => isDeepStrictEqual(one, earlier))),
    );

  async function lookFor(appliance: AskedAppliance, before: readonly string[] = [], matters = anyLack) {
    const list = await read(appliance);
    const all = once(list);
    const { total, namesMore = false, operation = things } = extentOf(list) ?? {};
    if (!matters(all)) return { all, of: undefined, lack: undefined, operation };
    const isShort = total !== undefined && all.length < total;
    const lack = isShort
      ? `listed only ${all.length} of ${total} ${things}`
      : namesMore
        ? `listed only the first ${all.length} ${things}`
        : await doubtIn(appliance, list, before);
    return { all, of: isShort ? total : undefined, lack, operation };
  }

  /** Of a list that says nothing of more. */
  async function doubtIn(
    appliance: AskedAppliance,
    list: readonly Found[],
    before: readonly string[],
  ): Promise<string | undefined> {
    const { total, isWritten } = extentOf(list) ?? {};
    const keys = new Set(keysOf(list));
    const left = before.filter((key) => keys.has(key));
    const lost = before.length - left.length;
    if (keys.size > 0 && (lost === 0 || total !== undefined)) return undefined;
    // Only somebody else's count tells a list that has really become so short.
    if (readIn(await settle(count(appliance))) === keys.size) return undefined;
    if (lost > 0)
      return `no longer lists ${left.length === 0 ? '' : 'some of '}the other ${things}, so its list may be incomplete`;
    if (total === 0) return undefined;
    const isNone =
      isWritten === true && readIn(await settle(isUp(appliance))) && (await isStillEmpty(appliance));
    return isNone
      ? undefined
      : `lists no ${things}, which does not prove that there are none: a service that restarts answers so, too`;
  }

  /** A service that has just come up may answer before it has read what it keeps. */
  async function isStillEmpty(appliance: AskedAppliance): Promise<boolean> {
    const again = await read(appliance);
    return again.length === 0 && extentOf(again)?.isWritten === true;
  }

  const see: Listing<Found>['see'] = async (appliance, misses, since) => {
    const { all, lack, operation } = await lookFor(appliance, since && othersIn(since), misses);
    if (lack !== undefined) throw new IncompleteList(lack, { operation, sent: 'yes' });
    return all;
  };

  return {
    things,
    look: (appliance) => lookFor(appliance),
    see,
    seek: async (appliance, fits, since) => {
      const all = await see(appliance, (came) => !came.some(fits), since);
      return { found: all.find(fits), all };
    },
    inventory: async (appliance) => JSON.stringify(sampleOf(keysOf(await read(appliance)))),
  };
}

/** The field of the fingerprint in which that is noted. It is no part of what people agree to. */
export const inventoryField = 'inventory';

/** Enough that a list that was cut anywhere lacks some of them, and few enough for the journal. */
const mostNoted = 40;

/** From the first to the last. */
function sampleOf(keys: readonly string[]): readonly string[] {
  if (keys.length <= mostNoted) return keys;
  return Array.from(
    { length: mostNoted },
    (_, index) => keys[Math.floor((index * (keys.length - 1)) / (mostNoted - 1))] ?? '',
  );
}

function othersIn({ shown: { [inventoryField]: inventory }, without = [] }: Since): readonly string[] {
  const leaving = new Set(without.map(String));
  // Written by `inventory`; absent in what was asked for before there was one.
  const noted = typeof inventory === 'string' ? (JSON.parse(inventory) as readonly string[]) : [];
  return noted.filter((key) => !leaving.has(key));
}

type Verify<Args> = Extract<ChangeDeclaration<Args>['verify'], (...given: never) => unknown>;

/** A list as it is after an order, held against who was in it right before. */
export interface SinceOrder<Found> {
  /** As in `Listing`. `without`: the keys of what the order itself takes away. */
  readonly see: (
    misses: (all: readonly Found[]) => boolean,
    ...without: readonly (string | number)[]
  ) => ReturnType<Listing<Found>['see']>;
  readonly seek: (
    fits: (one: Found) => boolean,
    ...without: readonly (string | number)[]
  ) => ReturnType<Listing<Found>['seek']>;
}

/** The lists that changes read back from, by their `verify`: what is in one is noted right before the order leaves. */
const listsOf = new WeakMap<object, (args: never) => Pick<Listing<unknown>, 'inventory'>>();

/** The `verify` of a change that is read back from a list. */
export function readBackIn<Args, Found>(
  list: (args: Args) => Listing<Found>,
  judge: (
    since: SinceOrder<Found>,
    context: AskingAppliance<Args>,
    shown: Fingerprint,
  ) => Verification | Promise<Verification>,
): Verify<Args> {
  const verify: Verify<Args> = async (context, shown) => {
    const { appliance, args } = context;
    const since: SinceOrder<Found> = {
      see: (misses, ...without) => list(args).see(appliance, misses, { shown, without }),
      seek: (fits, ...without) => list(args).seek(appliance, fits, { shown, without }),
    };
    return judge(since, context, shown);
  };
  listsOf.set(verify, list);
  return verify;
}

/**
 * What follows for a change from the way in which it is read back. A list that is not whole leaves it open whether it happened. Who is
 * in the list is noted before the order; the fingerprint has its place from the preview on, so that a change that was asked for
 * before there was one is not taken for one that was never sent.
 */
export function readingBack<Args>(
  declaration: Pick<ChangeDeclaration<Args>, 'preview' | 'verify' | 'survey'>,
): Pick<ChangeDeclaration<Args>, 'preview' | 'verify' | 'survey'> {
  const { preview, verify, survey } = declaration;
  if (typeof verify !== 'function') return declaration;
  const judged: Verify<Args> = async (context, shown) => {
    try {
      return await verify(context, shown);
    } catch (error) {
      if (!(error instanceof IncompleteList)) throw error;
      return notSeenNow`${context.appliance.name} ${error.problem}`;
    }
  };
  // By its own `verify` only: it takes its arguments.
  const list = listsOf.get(verify) as ((args: Args) => Pick<Listing<unknown>, 'inventory'>) | undefined;
  if (list === undefined) return { ...declaration, verify: judged };
  if (survey !== undefined)
    throw new Error('Of a change that has a survey, the survey notes who is in its list');
  return {
    verify: judged,
    preview: async (context) => {
      const asked = await preview(context);
      return asked.kind === 'ready'
        ? { ...asked, fingerprint: { ...asked.fingerprint, [inventoryField]: null } }
        : asked;
    },
    survey: {
      isNeeded: (shown) => shown[inventoryField] === null,
      take: async ({ appliance, args }) => ({
        [inventoryField]: await list(args).inventory(appliance),
      }),
    },
  };
}

/** What people name in a line, one by one. */
export async function listedIn<Found, Made>(
  list: Listing<Found>,
  appliance: AskedAppliance,
  make: (one: Found) => Made,
): Promise<readonly Made[]> {
  const { all, lack } = await list.look(appliance);
  return lacking(all.map(make), lack);
}

/** "5 sessions", "5 of 12 sessions", "at least 5 sessions": bold. */
export function countText({ all, of, lack }: Look<unknown>, singular: string, many?: string): Text {
  const said = plural(all.length, singular, many);
  if (lack === undefined || all.length === 0) return say`${strong(said)}`;
  return say`${strong(of === undefined ? `at least ${said}` : `${all.length} of ${plural(of, singular, many)}`)}`;
}

/** What a list that is not whole lacks, below what came of it; nothing where it is whole. */
export const lackPart = (appliance: string, { lack }: Look<unknown>): readonly Part[] =>
  lack === undefined ? [] : [{ kind: 'text', text: say`${strong(appliance)} ${lack}.` }];
