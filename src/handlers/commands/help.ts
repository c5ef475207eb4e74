import { word } from '../argument.ts';
import { type AnyCommand, areaOf, command, type Guide, type GuideEntry } from '../command.ts';
import { createMatcher } from '../phrase.ts';
import { code, enumerate, type Part, plural, type Reply, say, strong, type Text } from '../reply.ts';

export const help = command({
  kind: 'info',
  anywhere: true,
  phrase: 'help [topic]…',
  also: ['commands [topic]…', '--help [topic]…', '-h [topic]…', '? [topic]…'],
  args: { topic: word('a command or a word of it', 'rdp') },
  summary: 'Show what you can do here',
  example: 'help',
  effect: 'read',
  answer: ({ args, guide }): Reply =>
    args.topic.length === 0 ? overview(guide) : about(args.topic.join(' '), guide),
});

/** More lines than this are told by area. */
const mostLines = 25;

function overview(guide: Guide): Reply {
  return {
    headline: say`What you can run here:`,
    details: [
      ...(guide.obstacle === undefined ? [] : [{ kind: 'text', text: guide.obstacle } as const]),
      ...standing(guide.commands, guide, mostLines),
      { kind: 'text', text: say`${code('/appliance help rdp disconnect')} explains one command.` },
    ],
  };
}

function about(topic: string, guide: Guide): Reply {
  const found = guide.commands.filter((entry) => covers(entry, topic.toLowerCase()));
  return found.length > 0 ? told(topic, found, guide) : guessed(topic, guide);
}

function covers({ command: candidate }: GuideEntry, topic: string): boolean {
  const names = [candidate.phrase, ...(candidate.also ?? []), candidate.summary.toLowerCase()];
  return names.some((name) => name.includes(topic));
}

function told(topic: string, found: readonly GuideEntry[], guide: Guide): Reply {
  const [only, ...others] = found;
  return only !== undefined && others.length === 0
    ? explain(only)
    : { headline: say`About ${code(topic)}:`, details: standing(found, guide) };
}

/** The topic may be a whole line, or a slip of the fingers: then it is looked up as a line would be. */
function guessed(topic: string, guide: Guide): Reply {
  const entriesOf = (commands: readonly AnyCommand[]) =>
    guide.commands.filter((entry) => commands.includes(entry.command));
  const match = createMatcher(guide.commands.map((entry) => entry.command))(topic);
  if ('command' in match) return told(topic, entriesOf([match.command]), guide);
  if ('continuations' in match) return told(topic, entriesOf(match.continuations), guide);
  const nearest = entriesOf(match.nearest.map((suggestion) => suggestion.command));
  return nearest.length === 0
    ? { headline: say`I have no command about ${code(topic)}. ${code('/appliance help')} lists them all.` }
    : {
        headline: say`I have no command about ${code(topic)}. Did you mean:`,
        details: standing(nearest, guide),
      };
}

/** What can be run here, and what takes another role; by area when it is more than `most` lines. */
function standing(entries: readonly GuideEntry[], guide: Guide, most = Number.POSITIVE_INFINITY): Part[] {
  const allowed = entries.filter((entry) => entry.allowed);
  const others = entries.filter((entry) => !entry.allowed);
  const lines = (some: readonly GuideEntry[], line: (entry: GuideEntry) => Text): Part => ({
    kind: 'list',
    items: some.length > most ? byArea(some) : inOrder(some).map(line),
  });
  return [
    ...(allowed.length === 0 ? [] : [lines(allowed, usage)]),
    ...(others.length === 0 || !guide.served
      ? []
      : [{ kind: 'text', text: say`With another role:` } as const, lines(others, requirement)]),
  ];
}

const usage = ({ command: listed }: GuideEntry): Text =>
  say`${code(`/appliance ${listed.phrase}`)} – ${listed.summary}`;

const requirement = ({ command: listed, roles }: GuideEntry): Text =>
  roles.length === 0
    ? say`${code(listed.phrase)} is for nobody in this channel`
    : say`${code(listed.phrase)} takes ${enumerate(roles.map(strong), 'or')}`;

/** Related ones stand together. */
function inOrder(entries: readonly GuideEntry[]): readonly GuideEntry[] {
  return entries.toSorted((one, other) => areaOf(one.command).localeCompare(areaOf(other.command)));
}

/** *`/appliance help vlan` – 12 commands, such as `vlan list`* */
function byArea(entries: readonly GuideEntry[]): Text[] {
  const areas = Map.groupBy(inOrder(entries), ({ command: grouped }) => areaOf(grouped));
  return [...areas].map(([area, [first, ...others]]) => {
    const example = first === undefined ? '' : first.command.example;
    return say`${code(`/appliance help ${area}`)} – ${plural(others.length + 1, 'command')}, such as ${code(example)}`;
  });
}

function explain(entry: GuideEntry): Reply {
  const { command: explained, allowed } = entry;
  const args = Object.values(explained.args).map(
    ({ what, example }) => say`${what}, such as ${code(example)}`,
  );
  return {
    headline: say`${code(`/appliance ${explained.phrase}`)} – ${explained.summary}`,
    details: [
      {
        kind: 'fields',
        fields: [
          { name: 'Example', value: say`${code(`/appliance ${explained.example}`)}` },
          ...(args.length === 0 ? [] : [{ name: 'Takes', value: enumerate(args) }]),
          ...(explained.also === undefined
            ? []
            : [
                {
                  name: 'Also',
                  value: enumerate(
                    explained.also.map((phrase) => code(phrase)),
                    'or',
                  ),
                },
              ]),
          { name: 'Effect', value: effects[explained.effect] },
          { name: 'Who may', value: whoMay(entry) },
          { name: 'You', value: allowed ? say`may run it here` : say`may not run it here` },
        ],
      },
    ],
  };
}

const effects: Record<GuideEntry['command']['effect'], Text> = {
  read: say`only reads`,
  write: say`changes something that can be put back; asks before it acts`,
  destructive: say`cannot be taken back; shows what it will hit and asks before it acts`,
  unknown: say`not documented by the appliance; treated as one that cannot be taken back`,
};

function whoMay({ command: explained, roles }: GuideEntry): Text {
  if (explained.kind === 'info' && explained.anywhere) return say`everyone, anywhere`;
  return roles.length === 0 ? say`nobody in this channel` : enumerate(roles.map(strong), 'or');
}
