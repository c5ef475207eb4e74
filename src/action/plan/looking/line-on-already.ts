import type { Lasts } from '../../../auth/request.ts';
import type { AnyChange } from '../../../handlers/command.ts';
import type { Temporary } from '../../base/stored.ts';
import { endFrom } from '../../change/temporary.ts';
import type { Parts } from '../../ground/ground.ts';
import { type MadeOn, onAlready } from '../../wishes/on-already.ts';
import type { Fault } from '../../wording/faults.ts';

/** What a line comes to whose work is done already, but only for a time: as typed alone, it has that stay, or end later. */
export interface KeptOn {
  readonly command: AnyChange;
  readonly temporary: Temporary;
  /** How long it is on in all. */
  readonly lasts: Lasts;
  /** When it ends so far, in milliseconds since the epoch. */
  readonly ends: number;
}

/** Undefined where it is not on for a time; why not, where it is on for long enough. */
export async function lineOnAlready(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'match' | 'now'>,
  command: AnyChange,
  {
    temporary,
    begins,
    person,
  }: { readonly temporary: Temporary | undefined; readonly begins: number; readonly person: string },
  wanted: readonly MadeOn[],
): Promise<KeptOn | Fault | undefined> {
  const asked = askedFor(temporary);
  const until = endFrom(begins, asked);
  const on = await onAlready(parts, command, { temporary: asked, until, person }, wanted);
  if (on === undefined || 'code' in on) return on;
  const lasts =
    until === undefined ? 'forGood' : until - (on.temporary.joins === undefined ? on.since : begins);
  return { ...on, temporary: { ...on.temporary, ...asked }, lasts };
}

/** How long it was asked for, whatever it has become since. */
function askedFor(temporary: Temporary | undefined): Temporary | undefined {
  const { extends: _, joins: __, ...asked } = temporary ?? {};
  return asked.lasts === undefined && asked.until === undefined ? undefined : asked;
}
