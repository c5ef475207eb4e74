import type { Appliance, ApplianceIdentity } from '../../api/index.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { inventoryField } from '../../handlers/listing.ts';
import { enumerate, say, strong, type Text } from '../../handlers/reply.ts';
import { type Fingerprint, notCheckable } from '../../handlers/results.ts';
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

/** Whether two fingerprints are of the same thing. What was told only once is no difference. */
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

/** Reads a change back. What is read of another appliance than the order went to says nothing about the order. */
export function ofTheSame(command: AnyChange): AnyChange {
  const { verify } = command;
  if (typeof verify !== 'function' || command.sendsNothing) return command;
  return {
    ...command,
    verify: async (context, shown) => {
      const seen = await verify(context, shown);
      const agreed = identityIn(shown);
      if (agreed === undefined || seen.kind === 'not_checkable' || seen.kind === 'under_way') return seen;
      const what = whatDiffers(agreed, await context.identity(agreed));
      return what === undefined
        ? seen
        : notCheckable`another appliance answers at the address of ${context.appliance.name} now: ${what}`;
    },
  };
}

/** The same of all that was agreed to, with what is there now. */
export const otherAmong = (then: readonly Target[], now: readonly Target[]): Text | undefined =>
  then
    .map(({ appliance, fingerprint }) => {
      const found = now.find((one) => one.appliance === appliance);
      return otherAppliance(appliance, identityIn(fingerprint), identityIn(found?.fingerprint));
    })
    .find((text) => text !== undefined);

/**
 * Asks which appliance it is. It is still the one that was agreed to where it does not tell any more, and where only its release is another
 * one because this bot has upgraded it since.
 */
export async function askIdentity(
  { journal, upgrades, now }: IdentityParts,
  appliance: Pick<Appliance, 'name' | 'identity'>,
  agreed: string | undefined,
): Promise<string | undefined> {
  const told = await appliance.identity();
  if (told === undefined) return agreed;
  const current = JSON.stringify({ ...told, at: now() } satisfies Identity);
  const differing = differencesOf(agreed, current);
  if (agreed === undefined) return current;
  if (differing.length === 0) return agreed;
  if (differing.some((name) => name !== 'release')) return current;
  const own = await journal.changesIn(read(agreed).at ?? 0, now(), upgrades());
  const isOwn = own.some((action) => targetsIn(action).some((target) => target.appliance === appliance.name));
  return isOwn ? agreed : current;
}

interface IdentityParts {
  readonly journal: Pick<Journal, 'changesIn'>;
  /** The phrases of the commands that install another release. */
  readonly upgrades: () => readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Only what was told both times can differ. */
function differencesOf(then: string | undefined, now: string | undefined): readonly Told[] {
  const [was, is] = [read(then), read(now)];
  // Object.keys forgets the names that the type keeps.
  return (Object.keys(names) as Told[]).filter(
    (name) => was[name] !== undefined && is[name] !== undefined && was[name] !== is[name],
  );
}

// Written by `askIdentity` alone.
const read = (identity: string | undefined): Partial<Identity> =>
  identity === undefined ? {} : (JSON.parse(identity) as Identity);
