import type { AnyCommand } from '../command.ts';
import { areaOf, nameOf } from '../command-name.ts';

/** Commands about the same thing: all of an area, or of a large one those about "rdp members". */
export interface CommandGroup<Entry> {
  readonly name: string;
  readonly entries: readonly Entry[];
}

interface Listed {
  readonly command: AnyCommand;
}

/** An area with more commands is told by what they are about. */
const large = 12;

/** In the order of their names. `all` is every command that there is: a group is called the same for everybody. */
export function groupsOf<Entry extends Listed>(
  entries: readonly Entry[],
  all: readonly Listed[],
): readonly CommandGroup<Entry>[] {
  const byArea = Map.groupBy(all, ({ command }) => areaOf(command));
  const groupOf = ({ command }: Entry): string => {
    const area = byArea.get(areaOf(command)) ?? [];
    return area.length > large ? nounOf(command, area) : areaOf(command);
  };
  return [...Map.groupBy(entries, groupOf)]
    .map(([name, own]) => ({ name, entries: own }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** "rdp members" of `rdp member create`, "rdp sessions" of `rdp disconnect <session>`. */
function nounOf(command: AnyCommand, area: readonly Listed[]): string {
  const [first = '', second = first] = nameOf(command).split(' ');
  const slot = /<([^<>-][^<>]*)>/.exec(command.phrase)?.[1] ?? second;
  const others = area.filter((other) => other.command !== command).map((other) => secondOf(other.command));
  const noun = [second, slot].find((word) => others.some((other) => singular(other) === singular(word)));
  if (noun === undefined) return nameOf(command);
  const named = [second, ...others].filter((word) => singular(word) === singular(noun));
  return `${first} ${named.toSorted((one, other) => other.length - one.length)[0]}`;
}

const secondOf = (command: AnyCommand): string => nameOf(command).split(' ')[1] ?? '';

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');
