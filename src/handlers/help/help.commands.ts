import { distance } from 'fastest-levenshtein';
import { word } from '../argument.ts';
import type { AnyCommand, Guide, GuideEntry, Rights } from '../command.ts';
import { areaOf, nameOf } from '../command-name.ts';
import { info } from '../declare.ts';
import {
  code,
  enumerate,
  fieldList,
  type Part,
  paragraph,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../reply.ts';
import { createReader } from '../understanding/reader.ts';
import { checkOf, effectOf } from './said-of.ts';

export const help = info({
  anywhere: true,
  phrase: 'help [topic]…',
  says: [
    'help',
    'what can you do',
    'hi',
    'hello',
    'commands',
    'how does this work',
    'i need help',
    'what do you know',
    'usage',
    'menu',
    'options',
    'manual',
    'list commands',
    'emergency help',
    'how does this bot work',
    'which commands exist',
    'how do i use this',
    'i am lost',
    'command list',
  ],
  also: ['commands [topic]…', '--help [topic]…', '-h [topic]…', '? [topic]…'],
  args: { topic: word('a command or a word of it', 'rdp') },
  summary: 'Show what you can do here',
  example: 'help',
  answer: ({ args, guide, rights }) =>
    args.topic.every((word) => /^(?:me|us|please)$/i.test(word))
      ? overview(guide)
      : about(args.topic.join(' '), guide, rights),
});

/** More lines than this are told by area. */
const mostLines = 25;

function overview(guide: Guide): Reply {
  return {
    headline: say`What you can run here:`,
    details: [
      ...(guide.obstacle === undefined ? [] : [{ kind: 'text', text: guide.obstacle } as const]),
      ...standing(guide.commands, guide, mostLines),
      ...(Object.keys(guide.words).length === 0
        ? []
        : [
            paragraph`In your team's own words: ${enumerate(Object.keys(guide.words).map((word) => code(word)))}.`,
          ]),
      paragraph`${code('/appliance help rdp disconnect')} explains one command.`,
    ],
  };
}

function about(topic: string, guide: Guide, rights: Rights): Reply {
  const area = guide.commands.filter(({ command: one }) => areaOf(one) === topic.toLowerCase());
  // `status` is a command, `resolver` one and an area as well.
  const named =
    area.length > 1 ? area : guide.commands.filter(({ command: one }) => nameOf(one) === topic.toLowerCase());
  const found =
    named.length > 0 ? named : guide.commands.filter((entry) => covers(entry, topic.toLowerCase()));
  return found.length > 0 ? told(topic, found, guide, rights) : guessed(topic, guide, rights);
}

function covers({ command: candidate }: GuideEntry, topic: string): boolean {
  const names = [candidate.phrase, ...(candidate.also ?? []), candidate.summary.toLowerCase()];
  return names.some((name) => name.includes(topic));
}

function told(topic: string, found: readonly GuideEntry[], guide: Guide, rights: Rights): Reply {
  const [only, ...others] = found;
  return only !== undefined && others.length === 0
    ? explain(only, guide, rights)
    : { headline: say`About ${code(topic)}:`, details: standing(found, guide) };
}

/** The topic may be a whole line, or a slip of the fingers: then it is looked up as a line would be. */
function guessed(topic: string, guide: Guide, rights: Rights): Reply {
  const entriesOf = (commands: readonly AnyCommand[]) =>
    guide.commands.filter((entry) => commands.includes(entry.command));
  const match = createReader(guide.commands.map((entry) => entry.command))(topic);
  if ('command' in match && match.command !== undefined)
    return told(topic, entriesOf([match.command]), guide, rights);
  if ('continuations' in match) return told(topic, entriesOf(match.continuations), guide, rights);
  const nearest =
    match.kind === 'unknown' && match.nearest.length > 0
      ? entriesOf(match.nearest.map((suggestion) => suggestion.command))
      : nearestArea(topic.toLowerCase(), guide);
  return nearest.length === 0
    ? { headline: say`I have no command about ${code(topic)}. ${code('/appliance help')} lists them all.` }
    : {
        headline: say`I have no command about ${code(topic)}. Did you mean:`,
        details: standing(nearest, guide),
      };
}

/** The commands of the area of which a topic is a slip of the fingers: "rpd". */
function nearestArea(topic: string, { commands }: Guide): readonly GuideEntry[] {
  const far = (entry: GuideEntry) => distance(areaOf(entry.command), topic.slice(0, 40));
  const least = Math.min(...commands.map(far));
  return topic.length > 2 && least < 3 ? commands.filter((entry) => far(entry) === least) : [];
}

/** What can be run here, and what takes another role; by area when it is more than `most` lines. */
function standing(entries: readonly GuideEntry[], guide: Guide, most = Number.POSITIVE_INFINITY): Part[] {
  const allowed = entries.filter((entry) => entry.allowed);
  const others = entries.filter((entry) => !entry.allowed);
  const lines = (some: readonly GuideEntry[], line: (entry: GuideEntry) => Text): Part => ({
    kind: 'list',
    items: some.length > most ? byArea(some, line) : inOrder(some).map(line),
  });
  return [
    ...(allowed.length === 0 ? [] : [lines(allowed, usage)]),
    ...(others.length === 0 || !guide.served
      ? []
      : [paragraph`With another role:`, lines(others, requirement)]),
  ];
}

/** With an example, where the phrase itself is none. */
const usage = ({ command: listed }: GuideEntry): Text =>
  listed.example === listed.phrase
    ? say`${code(`/appliance ${listed.phrase}`)} – ${listed.summary}`
    : say`${code(`/appliance ${listed.phrase}`)} – ${listed.summary}: ${code(listed.example)}`;

const requirement = ({ command: listed, roles }: GuideEntry): Text =>
  roles.length === 0
    ? say`${code(listed.phrase)} is for nobody in this channel`
    : say`${code(listed.phrase)} takes ${enumerate(roles.map(strong), 'or')}`;

/** Related ones stand together. */
function inOrder(entries: readonly GuideEntry[]): readonly GuideEntry[] {
  return entries.toSorted((one, other) => areaOf(one.command).localeCompare(areaOf(other.command)));
}

/** What stands for itself first, then *`/appliance help vlan` – 12 commands, such as `vlan list`* */
function byArea(entries: readonly GuideEntry[], line: (entry: GuideEntry) => Text): Text[] {
  const areas = [...Map.groupBy(inOrder(entries), ({ command: grouped }) => areaOf(grouped))];
  const alone = areas.filter(([, { length }]) => length === 1);
  const together = areas.filter(([, { length }]) => length > 1);
  return [
    ...alone.flatMap(([, own]) => own.map(line)),
    ...together.map(([area, own]) => {
      const example = own[0]?.command.example ?? '';
      return say`${code(`/appliance help ${area}`)} – ${plural(own.length, 'command')}, such as ${code(example)}`;
    }),
  ];
}

function explain(entry: GuideEntry, { obstacle, words }: Guide, rights: Rights): Reply {
  const { command: explained, allowed, roles } = entry;
  const approval = roles.length === 0 ? undefined : rights.approval(explained);
  const takes = argumentsOf(explained);
  const also = explained.also ?? [];
  const own = Object.keys(words).filter((word) => `${words[word]} `.startsWith(`${nameOf(explained)} `));
  return {
    headline: say`${code(`/appliance ${explained.phrase}`)} – ${explained.summary}`,
    details: [
      fieldList([
        { name: 'Example', value: say`${code(`/appliance ${explained.example}`)}` },
        ...takes.map((value, index) => ({ name: index === 0 ? 'Takes' : '', value })),
        ...(also.length === 0
          ? []
          : [
              {
                name: 'Also',
                value: enumerate(
                  also.map((phrase) => code(phrase)),
                  'or',
                ),
              },
            ]),
        ...(own.length === 0
          ? []
          : [
              {
                name: 'In your words',
                value: enumerate(
                  own.map((word) => code(word)),
                  'or',
                ),
              },
            ]),
        { name: 'Effect', value: say`${effectOf(explained)}` },
        ...(explained.kind === 'change' ? [{ name: 'Checked', value: say`${checkOf(explained)}` }] : []),
        { name: 'Who may', value: whoMay(entry) },
        ...(approval === undefined ? [] : [{ name: 'Approval', value: approval }]),
        {
          name: 'You',
          value: allowed
            ? say`may run it here`
            : say`may not run it here${obstacle === undefined ? [] : say`. ${obstacle}`}`,
        },
      ]),
      ...(explained.kind === 'info' ? [] : [{ kind: 'text', text: general(explained) } as const]),
    ],
  };
}

function argumentsOf({ phrase, args }: AnyCommand): readonly Text[] {
  return Object.entries(args).map(([name, { what, example, among, input }]) => {
    const isOption = phrase.includes(`--${name}`);
    const shown = isOption ? say`${code(`--${name}`)} ` : [];
    const asked =
      input === 'secret' || input === 'file'
        ? say`, asked for in a form`
        : among !== undefined
          ? say`: ${enumerate(among.map(code), 'or')}`
          : example === ''
            ? []
            : say`, such as ${code(example)}`;
    const left = phrase.includes(`[--${name}]`) || phrase.includes(`[${name}]`) ? ' (may be left out)' : '';
    return say`${shown}${what}${asked}${left}`;
  });
}

const general = (explained: AnyCommand): Text =>
  explained.kind === 'change'
    ? say`${code('--on')} runs it on other appliances of this channel, ${code('--dry-run')} only shows what would be sent.`
    : say`${code('--on')} asks other appliances of this channel: names, ${code('all')} or ${code('tag:…')}.`;

function whoMay({ command: explained, roles }: GuideEntry): Text {
  if (explained.kind === 'info' && explained.anywhere) return say`everyone, anywhere`;
  return roles.length === 0 ? say`nobody in this channel` : enumerate(roles.map(strong), 'or');
}
