import { isDeepStrictEqual } from 'node:util';
import { type AskedAppliance, extentOf, IncompleteList } from '../api/index.ts';
import { lacking } from './argument.ts';
import type { ChangeDeclaration, LookupDeclaration } from './command.ts';
import type { AskingAppliance } from './context.ts';
import { type Part, plural, type Reply, say, strong, type Text } from './reply.ts';
import { type Fingerprint, final, notCheckable, notSeenNow, type Verification } from './results.ts';
import { readIn, settle } from './wording/answer.ts';
import { number } from './wording/quantities.ts';

/**
 * A list of the appliance in which commands look for things. An entry in it exists. A missing entry is gone, or
 * does not exist, only if the whole list came: a restarting appliance answers with an empty, `null` or
 * shortened list, and a long list may come in pages. Only this file decides whether something is missing.
 *
 * A list is whole if its stated count matches, or if it has all other entries that it had right before the
 * order. An empty list needs more: another answer that counts none, or proof that its service runs.
 */
export interface Listing<Found> {
  /** "members" */
  readonly things: string;
  readonly look: (appliance: AskedAppliance) => Promise<Look<Found>>;
  /**
   * All received entries, each once.
   * @param misses whether something important is missing
   * @throws IncompleteList if so, and the list is not whole
   */
  readonly see: (
    appliance: AskedAppliance,
    misses: (all: readonly Found[]) => boolean,
    since?: Since,
  ) => Promise<readonly Found[]>;
  /**
   * The first match, and all received entries. @throws IncompleteList if nothing matches, and the list is not
   * whole
   */
  readonly seek: (
    appliance: AskedAppliance,
    fits: (one: Found) => boolean,
    since?: Since,
  ) => Promise<Look<Found> & { readonly found: Found | undefined }>;
  /** The current keys, for the fingerprint. */
  readonly inventory: (appliance: AskedAppliance) => Promise<string>;
}

export interface Look<Found> {
  readonly all: readonly Found[];
  /** The total, if the appliance reports more than it sent. */
  readonly of: number | undefined;
  /** Why a missing entry proves nothing, in words that follow the appliance's name: "listed only 5 of 12 members". */
  readonly lack: string | undefined;
}

/** The answer has no list at all; carries what it said instead. */
export class NotListed extends Error {
  override readonly name = 'NotListed';
  /** Completes "not verified: …". */
  readonly why: string;
  readonly told: unknown;

  constructor(why: string, told: unknown) {
    super(why);
    this.why = why;
    this.told = told;
  }
}

/** The entries right before an order, and the keys that the order removes. */
interface Since {
  readonly shown: Fingerprint;
  readonly without?: readonly (string | number)[];
}

/** The identity of an entry. Undefined if it has none: two equal lines of a log may be two events. */
type KeyOf<Found> = (one: Found) => string | number | undefined;

export interface ListingDeclaration<Found> {
  readonly things: string;
  /**
   * The list as a call returned it, or one derived from it entry by entry (`withExtent`). May reject with
   * `NotListed`.
   */
  readonly read: (appliance: AskedAppliance) => Promise<readonly Found[]>;
  readonly keyOf: KeyOf<Found>;
  /** The count by another answer of the appliance; undefined if it does not tell. */
  readonly count?: (appliance: AskedAppliance) => Promise<number | undefined>;
  /** Whether the list's service is seen running. */
  readonly isUp?: (appliance: AskedAppliance) => Promise<boolean>;
  /** `isUp` comes from the same storage. If that is readable, null instead of the list means none. */
  readonly isBesideThat?: boolean;
}

export function listing<Found>({
  things,
  read,
  keyOf,
  count = async () => undefined,
  isUp = async () => false,
  isBesideThat = false,
}: ListingDeclaration<Found>): Listing<Found> {
  const keysOf = (all: readonly Found[]): readonly string[] => all.map((one) => String(keyOf(one)));

  const anyLack = (_: readonly Found[]): boolean => true;

  async function lookFor(appliance: AskedAppliance, before: readonly string[] = [], matters = anyLack) {
    const list = await read(appliance);
    const { operation = things } = extentOf(list) ?? {};
    const look = lookIn(things, list, keyOf);
    const isMissing = matters(look.all);
    const lack = look.lack ?? (isMissing ? await doubtIn(appliance, list, before) : undefined);
    return { ...look, lack, isMissing, operation };
  }

  /** @throws IncompleteList */
  async function lookThrough(
    appliance: AskedAppliance,
    misses: (all: readonly Found[]) => boolean,
    since: Since | undefined,
  ): Promise<Look<Found>> {
    const { all, of, lack, isMissing, operation } = await lookFor(
      appliance,
      since && othersIn(since),
      misses,
    );
    if (isMissing && lack !== undefined) throw new IncompleteList(lack, { operation, sent: 'yes' });
    return { all, of, lack };
  }

  /** Checks a list that does not state its extent. */
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
    // Only a count from another answer shows that a list really became this short.
    const counted = readIn(await settle(count(appliance)));
    if (counted === keys.size) return undefined;
    if (lost > 0)
      return `no longer lists ${left.length === 0 ? '' : 'some of '}the other ${things}, so its list may be incomplete`;
    if (total === 0) return undefined;
    if (counted !== undefined) return `lists no ${things}, although it counts ${number(counted)} elsewhere`;
    const isNone =
      mayBeNone(isWritten) && readIn(await settle(isUp(appliance))) && (await isStillEmpty(appliance));
    return isNone
      ? undefined
      : `lists no ${things}, which does not prove that there are none: a service that restarts answers so, too`;
  }

  /** A service that has just started may answer before it has loaded its data. */
  async function isStillEmpty(appliance: AskedAppliance): Promise<boolean> {
    const again = await read(appliance);
    return again.length === 0 && mayBeNone(extentOf(again)?.isWritten);
  }

  function mayBeNone(isWritten: boolean | undefined): boolean {
    return isWritten === true || isBesideThat;
  }

  return {
    things,
    look: (appliance) => lookFor(appliance),
    see: async (appliance, misses, since) => (await lookThrough(appliance, misses, since)).all,
    seek: async (appliance, fits, since) => {
      const look = await lookThrough(appliance, (came) => !came.some(fits), since);
      return { ...look, found: look.all.find(fits) };
    },
    inventory: async (appliance) => {
      try {
        return JSON.stringify(sampleOf(keysOf(await read(appliance))));
      } catch (error) {
        if (error instanceof NotListed) return '[]';
        throw error;
      }
    },
  };
}

/**
 * Judges a list by its own statements, without further requests. A part of a list shows what exists, but not
 * how many.
 * @param list with the answer's statements about it (`withExtent`)
 */
export function lookIn<Found>(things: string, list: readonly Found[], keyOf: KeyOf<Found>): Look<Found> {
  const all = once(list, keyOf);
  const { total, namesMore = false } = extentOf(list) ?? {};
  const isShort = total !== undefined && all.length < total;
  const lack = isShort
    ? `listed only ${all.length} of ${total} ${things}`
    : namesMore
      ? `listed only the first ${all.length} ${things}`
      : undefined;
  return { all, of: isShort ? total : undefined, lack };
}

/** Drops repetitions. Entries that differ but share a key may be two things. */
function once<Found>(list: readonly Found[], keyOf: KeyOf<Found>): readonly Found[] {
  const seen = new Map<string | number, Found[]>();
  return list.filter((one) => {
    const key = keyOf(one);
    if (key === undefined) return true;
    const same = seen.get(key) ?? [];
    if (same.some((earlier) => isDeepStrictEqual(one, earlier))) return false;
    seen.set(key, [...same, one]);
    return true;
  });
}

/** The field of the fingerprint with the noted keys. It is not part of the confirmation. */
export const inventoryField = 'inventory';

/** Enough keys that any shortened list lacks some, and few enough for the journal. */
const mostNoted = 40;

/** Spread from the first to the last. */
function sampleOf(keys: readonly string[]): readonly string[] {
  if (keys.length <= mostNoted) return keys;
  return Array.from(
    { length: mostNoted },
    (_, index) => keys[Math.floor((index * (keys.length - 1)) / (mostNoted - 1))] ?? '',
  );
}

function othersIn({ shown: { [inventoryField]: inventory }, without = [] }: Since): readonly string[] {
  const leaving = new Set(without.map(String));
  // Written by `inventory`; absent in requests from before it existed.
  const noted = typeof inventory === 'string' ? (JSON.parse(inventory) as readonly string[]) : [];
  return noted.filter((key) => !leaving.has(key));
}

type Verify<Args> = Extract<ChangeDeclaration<Args>['verify'], (...given: never) => unknown>;

/** A list after an order, compared with the keys right before it. */
export interface SinceOrder<Found> {
  /** As in `Listing`. `without`: the keys that the order removes. */
  readonly see: (
    misses: (all: readonly Found[]) => boolean,
    ...without: readonly (string | number)[]
  ) => ReturnType<Listing<Found>['see']>;
  readonly seek: (
    fits: (one: Found) => boolean,
    ...without: readonly (string | number)[]
  ) => ReturnType<Listing<Found>['seek']>;
}

/** The lists from which changes read back, by their `verify`. Their keys are noted right before the order. */
const listsOf = new WeakMap<object, (args: never) => Pick<Listing<unknown>, 'inventory'>>();

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
 * Adds the list handling to a change. A list that is not whole leaves the result open. The keys are noted
 * before the order. Their field exists from the preview on, because a request without it may have been sent by
 * an older version.
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
      if (error instanceof NotListed) return final(notCheckable`${error.why}`);
      if (!(error instanceof IncompleteList)) throw error;
      return notSeenNow`${context.appliance.name} ${error.problem}`;
    }
  };
  // Looked up by the change's own `verify`, so the arguments fit.
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

/**
 * The answer of a lookup about a list. It never says that there is none unless the list is whole. An incomplete
 * list gets a note.
 */
export const answeredFrom =
  <Args, Found>(
    list: (args: Args) => Listing<Found>,
    answer: (look: Look<Found>, context: AskingAppliance<Args>) => Reply | Promise<Reply>,
  ): LookupDeclaration<Args>['answer'] =>
  async (context) => {
    const { appliance, args } = context;
    const look = await list(args).look(appliance);
    return withLack(appliance.name, look, await answer(look, context));
  };

/** Adds the list's note to an answer. */
export function withLack(
  appliance: string,
  { all, lack }: Pick<Look<unknown>, 'all' | 'lack'>,
  reply: Reply,
): Reply {
  if (lack === undefined) return reply;
  const told = say`${strong(appliance)} ${lack}`;
  return all.length === 0
    ? { headline: told, details: [askAgain, ...(reply.details ?? []).filter(isNoEmptyTable)] }
    : { ...reply, details: [...lackPart(appliance, { lack }), ...(reply.details ?? [])] };
}

const askAgain: Part = { kind: 'text', text: say`Ask again in a minute.` };
const isNoEmptyTable = (part: Part): boolean => part.kind !== 'table' || part.rows.length > 0;

/** Lists the entries, one by one, for typing and picking. */
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

/** ", 2 of them repeated", about lines of a log. */
export function repeatedText(all: readonly unknown[]): string {
  const repeated = all.length - new Set(all.map((one) => JSON.stringify(one))).size;
  return repeated === 0 ? '' : `, ${number(repeated)} of them repeated`;
}

/** A note about an incomplete list; nothing if the list is whole. */
export const lackPart = (appliance: string, { lack }: Pick<Look<unknown>, 'lack'>): readonly Part[] =>
  lack === undefined ? [] : [{ kind: 'text', text: say`${strong(appliance)} ${lack}.` }];
