import {
  elapsed,
  enumerate,
  moment,
  plainText,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { WatchAnnouncement } from '../../handlers/watch/damping.ts';
import {
  announcementOf,
  doneBefore,
  headlineOf,
  overNow,
  type ToldLine,
  texts,
  undoOffers,
} from './words.ts';

/** So many have a line of their own in a message, and of so many it is told what was done before. */
const most = { lines: 40, before: 3, named: 100 } as const;

/** What is or was wrong, as it stands now: one thing, or many that were seen at the same look. */
export function problemOf(lines: readonly ToldLine[]): Reply {
  const merged = merge(lines);
  const [only] = merged;
  if (only !== undefined && merged.length === 1)
    return only.over === undefined ? announcementOf(only) : overNow(only.told, only.over);
  const over = merged.filter((one) => one.over !== undefined);
  const what = thingsIn(merged);
  const headline =
    over.length === 0
      ? say`${what} changed`
      : over.length === merged.length
        ? say`✅ ${what} changed and recovered`
        : say`${what} changed, of which ${thingsIn(over)} recovered`;
  return several(headline, merged);
}

/** What follows on that, or is all right. */
export function followUpOf(lines: readonly ToldLine[]): Reply {
  const merged = merge(lines);
  const [only] = merged;
  if (only !== undefined && merged.length === 1) return announcementOf(only);
  const isRecovery = merged.every(({ said }) => said.kind === 'recovered');
  return several(say`${thingsIn(merged)} ${isRecovery ? 'recovered' : 'changed'}`, merged);
}

function several(headline: Text, lines: readonly ToldLine[]): Reply {
  // What is still wrong is read first.
  const sorted = [
    ...lines.filter(({ over }) => over === undefined),
    ...lines.filter(({ over }) => over !== undefined),
  ];
  const shown = sorted.slice(0, most.lines);
  const left = sorted.slice(most.lines).map(({ told }) => `${told.appliance} ${told.name}`);
  const named = left.slice(0, most.named);
  const rest = left.length > named.length ? [...named, `${left.length - named.length} more`] : named;
  const blamed = sorted.filter(({ done, over }) => done !== undefined && over === undefined);
  const beside = new Set(blamed.slice(0, most.before));
  return {
    headline,
    details: [
      { kind: 'list', items: shown.map((one) => lineOf(one, beside.has(one))) },
      ...(left.length === 0 ? [] : texts([say`And ${enumerate(rest)}.`])),
      {
        kind: 'offers',
        offers: [
          ...[...beside].flatMap(({ told, done, undo }) => undoOffers(done, undo, told.appliance)),
          { label: 'Watches', line: 'watches' },
        ],
      },
    ],
  };
}

function lineOf({ told, said, over, done }: ToldLine, isBlamed: boolean): Text {
  const what = say`${strong(told.appliance)} ${told.name}`;
  if (over?.kind === 'recovered')
    return say`✅ ${what} recovered after ${elapsed(over.now.since - over.since)}`;
  if (over !== undefined) return say`✅ ${what} is all right again`;
  const began = said.kind === 'changed' ? say` (since ${moment(said.now.since)})` : say``;
  const before = isBlamed && said.kind === 'changed' ? doneBefore(done, said.now.since) : [];
  return say`${headlineOf(told, said)}${began}${before.flatMap((one) => ['. ', ...one])}`;
}

/** One appliance under several watches that tell the same is one line. */
function merge(lines: readonly ToldLine[]): readonly ToldLine[] {
  const groups = Map.groupBy(lines, ({ told, said, over }) =>
    JSON.stringify([told.appliance, over === undefined, said.kind, sayingOf(over ?? said)]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = enumerate(group.map(({ told }) => told.name));
    return group.length === 1
      ? [first]
      : [{ ...first, told: { ...first.told, name: plainText(names) }, isMerged: true as const }];
  });
}

/** What makes two of them the same: nothing does where things have happened. */
const sayingOf = (said: WatchAnnouncement): string =>
  said.kind === 'news' ? (said.entries.at(-1)?.id ?? '') : `${said.kind} ${plainText(said.now.says)}`;

/** Appliances, or what is on watch of the only one. */
function thingsIn(lines: readonly ToldLine[]): Text {
  const appliances = new Set(lines.map(({ told }) => told.appliance));
  const [only = ''] = appliances;
  return appliances.size > 1
    ? say`${strong(plural(appliances.size, 'appliance'))}`
    : say`${strong(only)} ${enumerate(lines.map(({ told }) => told.name))}`;
}
