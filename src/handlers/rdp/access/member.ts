import type { Member } from '../../../api/index.ts';
import type { Argument } from '../../argument.ts';
import { code, say } from '../../reply.ts';
import type { Fingerprint, Preview } from '../../results.ts';
import { userOf } from '../things.ts';
import { replacementOf, type SetFields, sameName, setFields } from './fields.ts';
import { type End, endOfLifeFor, momentOf } from './until.ts';

/** What is particular to members: their user name and their last day, which the document names (appliance-api.md §2.14). */

/** What identifies a member, and the last day as it would be typed. */
export const fingerprintOf = (found: Member): Fingerprint => ({
  id: found.id,
  username: userOf(found) ?? null,
  until: found.endOfLife === 0 ? 'never' : (momentOf(found)?.toISOString().slice(0, 19) ?? null),
});

export const hasEnded = (found: Member, now: number): boolean =>
  found.endOfLife !== 0 && (momentOf(found)?.getTime() ?? now) < now;

export const pastNote = (value: End, now: number): string =>
  value !== 'never' && value < now ? ', in the past: this account can no longer log on' : '';

/** What is to be written for a last day, or why nobody knows what. */
export function endFor(
  value: End | undefined,
  all: readonly Member[],
): { readonly endOfLife: number | undefined } | Extract<Preview, { kind: 'nothing' }> {
  if (value === undefined) return { endOfLife: undefined };
  const endOfLife = endOfLifeFor(value, all);
  return endOfLife === undefined
    ? {
        kind: 'nothing',
        why: say`How this appliance stores an account without an end date is unknown: it is undocumented, and no member has one. Give a day.`,
      }
    : { endOfLife };
}

/** The wanted last day among the fields, under the appliance's own spelling. */
export const endIn = ({ fields }: Member, endOfLife: unknown): SetFields =>
  typeof endOfLife === 'number' ? { [sameName(fields, 'endoflife')]: String(endOfLife) } : {};

/** The wanted fields beside the last day. */
export function changesOf(
  { username, set }: { readonly username?: string | undefined; readonly set?: SetFields | undefined },
  { fields }: Member,
): SetFields {
  return { ...set, ...(username === undefined ? {} : { [sameName(fields, 'username')]: username }) };
}

/** All that can be read of a member, as the client takes it: what the document names apart from the rest. */
export function replacement(found: Member, changes: SetFields, wantedEnd: unknown) {
  const all = Object.entries(replacementOf(found.fields, changes));
  const endOfLife = typeof wantedEnd === 'number' ? wantedEnd : found.endOfLife;
  return {
    username: all.find(([name]) => name.toLowerCase() === 'username')?.[1] ?? userOf(found) ?? '',
    ...(endOfLife === undefined ? {} : { endOfLife }),
    fields: Object.fromEntries(
      all.filter(([name]) => !['username', 'endoflife'].includes(name.toLowerCase())),
    ),
  };
}

/** A last day that is no number cannot be sent along (§2.14), and what is not sent along may be lost. */
export function unsendable({
  id,
  endOfLife,
  fields,
}: Member): Extract<Preview, { kind: 'nothing' }> | undefined {
  const written = fields[sameName(fields, 'endoflife')] ?? '';
  return endOfLife !== undefined || written === ''
    ? undefined
    : {
        kind: 'nothing',
        why: say`The last day of member ${id} is stored as ${code(written)}, which can’t be sent back, so it might be lost. Give one with ${code(`rdp member change ${id} --until`)}.`,
      };
}

/** The option `--set` of a member; what the document names has options of its own. */
export const memberFields: Argument<SetFields> = {
  ...setFields,
  read: (written) => {
    const reading = setFields.read(written);
    return reading.ok && Object.keys(reading.value).some((name) => /^(?:username|endoflife)$/i.test(name))
      ? {
          ok: false,
          problem: {
            code: 'malformed',
            wanted: 'without username and endoflife, which have their own options',
          },
        }
      : reading;
  },
};

export const withoutEnd = ({ fields }: Member) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name.toLowerCase() !== 'endoflife'));
