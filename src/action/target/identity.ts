import type { Appliance, ApplianceIdentity } from '../../api/index.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { inventoryField } from '../../handlers/listing.ts';
import { enumerate, plainText, say, strong, type Text } from '../../handlers/reply.ts';
import { type Fingerprint, final, notCheckable, type Verification } from '../../handlers/results.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { type Target, targetsIn } from '../base/stored.ts';

/**
 * Which appliance answers at an address, as far as it says so. It is part of what was agreed to: it stands in the fingerprint, under a name
 * that no command uses.
 */
const key = '@appliance';

/** With when it was told first, in milliseconds since the epoch. */
interface Identity extends ApplianceIdentity {
  readonly at: number;
  /** The release that it had when it was agreed to: it is the same appliance, which somebody has upgraded since. */
  readonly upgradedFrom?: string;
}

type Told = keyof ApplianceIdentity;
const names: Readonly<Record<Told, string>> = {
  hostname: 'host name',
  serial: 'serial number',
  release: 'release',
};

/** As it stands in a fingerprint. Undefined where the appliance did not tell. */
export const identityIn = (shown: Fingerprint | undefined): string | undefined => shown?.[key]?.toString();

/** The same of what was agreed to on one appliance. */
export const identityOn = (action: Action, appliance: string): string | undefined =>
  identityIn(targetsIn(action).find((target) => target.appliance === appliance)?.fingerprint);

export const withIdentity = (shown: Fingerprint, identity: string | undefined): Fingerprint =>
  identity === undefined ? shown : { ...shown, [key]: identity };

/**
 * Whether two fingerprints are of the same thing. What was told only once is no difference, and neither is the release of an appliance
 * that was upgraded: what depends on that has it in its own fingerprint.
 */
export function isSameFingerprint(
  then: Fingerprint,
  now: Fingerprint,
  beside: readonly string[] = [],
): boolean {
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  keys.delete(key);
  keys.delete(inventoryField);
  return (
    differencesOf(identityIn(then), identityIn(now)).length === 0 &&
    [...keys].every((one) => beside.includes(one) || then[one] === now[one])
  );
}

/** What tells them apart, in one sentence. Undefined where nothing does. */
export function otherAppliance(
  appliance: string,
  then: string | undefined,
  now: string | undefined,
): Text | undefined {
  const what = whatDiffers(then, now);
  return what && say`Another appliance answers at the address of ${strong(appliance)}: ${what}.`;
}

/** That it is the same appliance with another release, in one sentence. Undefined where it is not. */
function upgradedSince(
  appliance: string,
  then: string | undefined,
  now: string | undefined,
): Text | undefined {
  const [{ release: was }, { release: is, upgradedFrom }] = [read(then), read(now)];
  if (was === undefined || is === undefined || upgradedFrom !== was) return undefined;
  return say`${strong(appliance)} was upgraded since this was asked for: its release is ${strong(is)}, not ${strong(was)}.`;
}

function whatDiffers(then: string | undefined, now: string | undefined): Text | undefined {
  const differing = differencesOf(then, now);
  if (differing.length === 0) return undefined;
  return enumerate(
    differing.map((name) => {
      const [was, is] = [read(then)[name] ?? '', read(now)[name] ?? ''];
      return say`its ${names[name]} is ${strong(is)}, not ${strong(was)}`;
    }),
  );
}

/**
 * Reads a change back. What is read of another appliance than the order went to says nothing about the order; that it was upgraded
 * meanwhile is said beside what was read.
 */
export function ofTheSame(command: AnyChange): AnyChange {
  const { verify } = command;
  if (command.sendsNothing) return command;
  return {
    ...command,
    verify: async (context, shown) => {
      const seen: Verification =
        typeof verify === 'function'
          ? await verify(context, shown)
          : final(notCheckable`${verify.notCheckable}`);
      const agreed = identityIn(shown);
      if (agreed === undefined || seen.kind === 'under_way') return seen;
      const { name } = context.appliance;
      const now = await context.identity(agreed);
      const what = whatDiffers(agreed, now);
      if (what !== undefined && seen.kind !== 'not_checkable')
        return notCheckable`another appliance answers at the address of ${name} now: ${what}`;
      const upgraded = upgradedSince(name, agreed, now);
      if (upgraded === undefined) return seen;
      return 'evidence' in seen
        ? { ...seen, evidence: say`${seen.evidence} ${upgraded}` }
        : { ...seen, why: `${seen.why}. ${plainText(upgraded).replace(/\.$/, '')}` };
    },
  };
}

/** What tells of any of those that were agreed to that another one is there now, or the same one with another release. */
export const otherAmong = (then: readonly Target[], now: readonly Target[]): Text | undefined =>
  then
    .map(({ appliance, fingerprint }) => {
      const found = now.find((one) => one.appliance === appliance);
      const both = [appliance, identityIn(fingerprint), identityIn(found?.fingerprint)] as const;
      return otherAppliance(...both) ?? upgradedSince(...both);
    })
    .find((text) => text !== undefined);

/**
 * Asks which appliance it is. It is still the one that was agreed to where it does not tell any more, and where only its release is another
 * one because this bot has upgraded it since, or somebody else has: then its serial number is the same.
 */
export async function askIdentity(
  { journal, upgrades, now, lastNoted }: IdentityParts,
  appliance: Pick<Appliance, 'name' | 'identity'>,
  agreed: string | undefined,
): Promise<string | undefined> {
  // Another one may have come up where the former one was silent.
  const told = await appliance.identity({ anew: agreed !== undefined });
  if (told === undefined) return agreed ?? lastNoted(appliance.name);
  const current = JSON.stringify({ ...told, at: now() } satisfies Identity);
  const differing = differencesOf(agreed, current);
  if (agreed === undefined) return current;
  // What it tells now and did not then counts from now on.
  if (differing.length === 0) return JSON.stringify({ ...told, ...read(agreed) } satisfies Partial<Identity>);
  if (differing.some((name) => name !== 'release')) return current;
  const own = await journal.changesIn(read(agreed).at ?? 0, now(), upgrades());
  const isOwn = own.some((action) => targetsIn(action).some((target) => target.appliance === appliance.name));
  if (isOwn) return agreed;
  const { serial, release } = read(agreed);
  // A host name can be given to another one.
  if (serial === undefined || told.serial !== serial) return current;
  return JSON.stringify({ ...told, at: now(), ...(release && { upgradedFrom: release }) } satisfies Identity);
}

interface IdentityParts {
  readonly journal: Pick<Journal, 'changesIn'>;
  /** The phrases of the commands that install another release. */
  readonly upgrades: () => readonly string[];
  /** What an appliance told of itself when something was agreed to there last, in what the journal has of the last days. */
  readonly lastNoted: (appliance: string) => Promise<string | undefined>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** In milliseconds: who has not told it for longer may be another one by now. */
const remembered = 7 * 24 * 3_600_000;

/** Reads the journal once for each appliance: what is told later is known anyway. */
export function createLastNoted({
  journal,
  now,
}: Pick<IdentityParts, 'journal' | 'now'>): IdentityParts['lastNoted'] {
  const noted = new Map<string, Promise<string | undefined>>();
  const read = async (appliance: string) => {
    const all = await journal.changesIn(now() - remembered, now());
    return all
      .toReversed()
      .map((action) => identityOn(action, appliance))
      .find((identity) => identity !== undefined);
  };
  return (appliance) => {
    const known = noted.get(appliance) ?? read(appliance);
    noted.set(appliance, known);
    // Where the journal was away, it is read the next time.
    known.catch(() => noted.delete(appliance));
    return known;
  };
}

/** Only what was told both times can differ. */
function differencesOf(then: string | undefined, now: string | undefined): readonly Told[] {
  const [was, is] = [read(then), read(now)];
  // Object.keys forgets the names that the type keeps.
  return (Object.keys(names) as Told[]).filter(
    (name) =>
      was[name] !== undefined &&
      is[name] !== undefined &&
      was[name] !== is[name] &&
      !(name === 'release' && is.upgradedFrom === was.release),
  );
}

// Written by `askIdentity` alone.
const read = (identity: string | undefined): Partial<Identity> =>
  identity === undefined ? {} : (JSON.parse(identity) as Identity);
