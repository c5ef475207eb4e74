import type { AnyChange } from '../../handlers/command.ts';
import { code, enumerate, type Field, person, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { argsOn, changeOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { TargetPreview } from '../target/target.ts';
import { askedParts, isWhole, partsText } from './wishes.ts';

/**
 * What others want for a time, and a change would take from them: they are named before anybody agrees to it, so it is never done
 * without a question, and told when it is done.
 */

type ConflictParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>;

/** Who wants something for how long; for good where there is no end. */
interface Wanting {
  readonly person: string;
  readonly until: number | undefined;
}

/** Whoever has made it, and whoever has put its end off since, or has kept it; until when, by what is known at `at`. */
export async function wantingOf(
  journal: Pick<Parts['journal'], 'byId'>,
  row: TimedChangeRow,
  at: number,
): Promise<readonly Wanting[]> {
  const { ended, extensions, person: by } = row;
  if (ended?.how === 'kept')
    return ended.person === undefined ? [] : [{ person: ended.person, until: undefined }];
  const cut = extensions.findLast((one) => one.until <= one.at);
  const endsAt = cut?.from ?? row.endsAt;
  if (endsAt <= at) return [];
  // Where somebody has moved it up since, that end is what is known to all.
  const putOff = extensions.filter(({ from = 0, until }) => until > at && until > from && until <= endsAt);
  const found = new Map([[by, putOff[0]?.from ?? endsAt]]);
  for (const { action, until } of putOff) {
    const who = (await journal.byId(action))?.person;
    if (who !== undefined) found.set(who, Math.max(until, found.get(who) ?? 0));
  }
  return [...found].map(([who, until]) => ({ person: who, until }));
}

/** What is said of its end, to whoever wanted it for longer when somebody else ended it. */
export async function toLosers(
  journal: Pick<Parts['journal'], 'byId'>,
  row: TimedChangeRow,
  headline: Text,
): Promise<Text> {
  const { how, at = 0, person: by, stays } = row.ended ?? {};
  const isTaken = isPutBack(row) && stays === undefined && (how === 'person' || how === 'ended');
  if (!isTaken || by === undefined) return headline;
  const losers = (await wantingOf(journal, row, at)).filter((one) => one.person !== by);
  return losers.length === 0
    ? headline
    : say`${enumerate(losers.map((one) => person(one.person)))}: ${headline}`;
}

/** What a change is to end, or to take away, without being what somebody else wants. */
interface Taking {
  readonly action: Action;
  readonly command: AnyChange;
  /** Whose end it moves to now, or whose undo it is. */
  readonly of: string | undefined;
  readonly looks: readonly TargetPreview[];
}

export async function wantedByOthers(
  parts: ConflictParts,
  { action, command, of, looks }: Taking,
): Promise<readonly Field[]> {
  const found = of === undefined ? await takenBy(parts, command, looks) : await endedFor(parts, of);
  const now = parts.now();
  const said = await Promise.all(
    found.map(async ({ row, line, what }) => {
      // Whoever ends what somebody else has made sees whose it is.
      const others = (await wantingOf(parts.journal, row, now)).filter(
        (one) => one.person !== action.person && (of === undefined || one.person !== row.person),
      );
      return others.map(({ person: who, until }): Text => {
        const end = until === undefined ? say`for good` : say`until ${when(until, now)}`;
        return say`${what === undefined ? end : say`${what} ${end}`}, by ${person(who)}${line === undefined ? [] : say` with ${code(line)}`}`;
      });
    }),
  );
  const all = said.flat();
  return all.length === 0 ? [] : [{ name: 'Wanted by others', value: enumerate(all) }];
}

interface Wanted {
  readonly row: TimedChangeRow;
  readonly line?: string;
  readonly what?: Text;
}

const endedFor = async ({ journal }: ConflictParts, of: string): Promise<readonly Wanted[]> =>
  (await journal.timedChangesOf(of)).filter(isPutBack).map((row) => ({ row }));

/** What is on for a time and the very opposite of what a change does, as the line that takes it back says. */
async function takenBy(
  { commandByPhrase, journal, match }: ConflictParts,
  command: AnyChange,
  looks: readonly TargetPreview[],
): Promise<readonly Wanted[]> {
  const live = (await journal.timedChanges()).filter((row) => isPutBack(row) && row.state === 'on');
  if (live.length === 0) return [];
  const found = looks.map(async (look): Promise<readonly Wanted[]> => {
    if (look.kind !== 'ready') return [];
    const { resolved, preview } = look;
    const back = match(command.undo?.(resolved.args as never, preview.fingerprint) ?? '');
    if (back.kind !== 'command' || back.command.kind !== 'change') return [];
    const taken = askedParts(back.command, back.args);
    const each = live.map(async (row): Promise<readonly Wanted[]> => {
      if (row.appliance !== resolved.appliance.name) return [];
      const begun = await journal.byId(row.action);
      const by = changeOf(commandByPhrase, begun);
      if (begun === undefined || by === undefined) return [];
      const asked = askedParts(by, argsOn(begun, row.appliance));
      const gone = asked.same === taken.same ? asked.parts.filter((part) => taken.parts.includes(part)) : [];
      return gone.length === 0
        ? []
        : [{ row, line: begun.line, ...(!isWhole(gone) && { what: partsText(gone) }) }];
    });
    return (await Promise.all(each)).flat();
  });
  return (await Promise.all(found)).flat();
}
