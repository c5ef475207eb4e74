import { distance } from 'fastest-levenshtein';
import { word } from '../argument.ts';
import type { AnyCommand, Guide, GuideEntry, Rights } from '../command.ts';
import { areaOf, nameOf } from '../command-name.ts';
import { info } from '../declare.ts';
import { isUndoable } from '../language/options.ts';
import {
  code,
  enumerate,
  fieldList,
  type Offer,
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
import { firstOf, isOf, topicNamed, topics } from './topics.ts';

export const help = info({
  anywhere: true,
  phrase: 'help [topic]…',
  says: `
    help / what can you do / commands / how does this work / i need help / what do you know /
    usage / menu / options / manual / list commands / emergency help / how does this bot work /
    which commands exist / how do i use this / i am lost / command list / docs / documentation /
    tell me what you can do / who are you / what are you / how do i use the / how do i /
    show me how to use / explain the commands / what are the commands / hilfe / was kannst du /
    give me an overview of commands / guide / tutorial / examples / what is possible / help with <topic> /
    explain <topic> / how does <topic> work / how do i use <topic> / what can i do with <topic> /
    <topic> help / what happens if i activate <topic> / what does <topic> do / what is <topic> /
    what can i type / i am new here / where do i start / which commands are there for <topic> /
    what do you do / what is this / what can i do here /
    what is possible with <topic> / commands for <topic> / how do i <topic> / what is there for <topic>
  `,
  also: ['commands [topic]…', '--help [topic]…', '-h [topic]…', '? [topic]…'],
  args: { topic: { ...word('a command or a word of it', 'rdp'), isTopic: true } },
  summary: 'Show the commands you can run here',
  example: 'help',
  answer: ({ args, guide, rights }) =>
    args.topic.every((word) => /^(?:me|us|please)$/i.test(word))
      ? overview(guide)
      : about(args.topic.join(' '), guide, rights),
});

/** Examples for each topic of the overview, which fits on the screen of a phone. */
const mostOfTopic = 2;

const runOne: Offer = { label: 'Run a command', line: 'help', build: true };

/** The topics in which this person may do something here. */
function overview(guide: Guide): Reply {
  const allowed = guide.commands.filter((entry) => entry.allowed);
  const shown = !guide.served
    ? []
    : topics.flatMap((topic) => {
        const entries = allowed.filter(({ command: one }) => isOf(topic, one));
        return entries.length === 0 ? [] : [{ topic, entries }];
      });
  return {
    headline: say`What you can run here, after ${code('/appliance')}:`,
    details: [
      ...(guide.obstacle === undefined ? [] : [{ kind: 'text', text: guide.obstacle } as const]),
      {
        kind: 'list',
        items: guide.served
          ? shown.map(
              ({ topic, entries }) =>
                say`${strong(topic.title)}: ${enumerate(firstOf(topic, entries, mostOfTopic).map(example), 'or')}`,
            )
          : // Commands that work everywhere belong to no topic.
            allowed.map((entry) => say`${example(entry)} – ${entry.command.summary}`),
      },
      ...(Object.keys(guide.words).length === 0
        ? []
        : [
            paragraph`Your team's own words: ${enumerate(Object.keys(guide.words).map((word) => code(word)))}.`,
          ]),
      paragraph`${code('/appliance help rdp disconnect')} explains one command.`,
      {
        kind: 'offers',
        offers: [
          ...(shown.length === 0 ? [] : [runOne]),
          ...shown
            .filter(({ entries }) => entries.length > mostOfTopic)
            .map(({ topic }) => ({ label: topic.title, line: `help ${topic.word}` })),
        ],
      },
    ],
  };
}

/** To type; the phrase itself is longer. */
const example = ({ command: listed }: GuideEntry): Text => [code(listed.example)];

function about(topic: string, guide: Guide, rights: Rights): Reply {
  const found = groupCalled(topic.toLowerCase(), guide) ?? [];
  const named = guide.commands.filter(({ command: one }) => nameOf(one) === topic.toLowerCase());
  const [own] = named;
  // `plan` is the main command of its area, and the others follow from it.
  if (found.length > 1 && own?.command.kind === 'change') {
    const { headline, details = [] } = explain(own, guide, rights);
    const others = found.filter((entry) => entry !== own);
    return { headline, details: [...details, ...standing(others, guide)] };
  }
  if (found.length > 1) return told(topic, found, guide, rights);
  const covered =
    named.length > 0 ? named : guide.commands.filter((entry) => covers(entry, topic.toLowerCase()));
  return covered.length > 0 ? told(topic, covered, guide, rights) : guessed(topic, guide, rights);
}

/** A topic, an area, or a group within an area: "rdp members". */
function groupCalled(words: string, { commands }: Guide): readonly GuideEntry[] | undefined {
  const topic = topicNamed(words);
  if (topic !== undefined) return commands.filter(({ command: one }) => isOf(topic, one));
  // `status` is a command; `resolver` is a command and an area.
  const area = commands.filter(({ command: one }) => areaOf(one) === words);
  return area.length > 0 ? area : groupsOf(commands, commands).find(({ name }) => name === words)?.entries;
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

/** The topic may be a whole line or a misspelling, so it is looked up like a line. */
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
    ? { headline: say`No command matches ${code(topic)}. ${code('/appliance help')} shows where to start.` }
    : {
        headline: say`No command matches ${code(topic)}. Did you mean:`,
        details: standing(nearest, guide),
      };
}

/** The commands of the area whose name was misspelled: "rpd". */
function nearestArea(topic: string, { commands }: Guide): readonly GuideEntry[] {
  const far = (entry: GuideEntry) => distance(areaOf(entry.command), topic.slice(0, 40));
  const least = Math.min(...commands.map(far));
  return topic.length > 2 && least < 3 ? commands.filter((entry) => far(entry) === least) : [];
}

/** Above this number of lines, commands are grouped. */
const mostLines = 12;

/** The commands allowed here, and those that need another role: at most 21 lines. */
function standing(entries: readonly GuideEntry[], guide: Guide): Part[] {
  const allowed = entries.filter((entry) => entry.allowed);
  const others = guide.served ? entries.filter((entry) => !entry.allowed) : [];
  return [
    ...(allowed.length === 0 ? [] : [listOf(allowed, guide)]),
    ...(others.length === 0 ? [] : requiring(others, guide)),
  ];
}

function listOf(entries: readonly GuideEntry[], guide: Guide): Part {
  const groups = entries.length > mostLines ? groupsOf(entries, guide.commands) : [];
  return { kind: 'list', items: groups.length > 1 ? groups.map(groupLine) : inOrder(entries).map(usage) };
}

function requiring(entries: readonly GuideEntry[], guide: Guide): readonly Part[] {
  const groups = entries.length > mostLines ? groupsOf(entries, guide.commands) : [];
  return groups.length > 1
    ? [
        paragraph`Requires another role: ${enumerate(groups.map(({ name }) => code(name)))}. ${code('/appliance help')} followed by one of these shows which.`,
      ]
    : [paragraph`Requires another role:`, { kind: 'list', items: inOrder(entries).map(requirement) }];
}

/** Adds an example if it differs from the phrase. */
const usage = ({ command: listed }: GuideEntry): Text =>
  listed.example === listed.phrase
    ? say`${code(`/appliance ${listed.phrase}`)} – ${listed.summary}`
    : say`${code(`/appliance ${listed.phrase}`)} – ${listed.summary}: ${code(listed.example)}`;

const requirement = ({ command: listed, roles }: GuideEntry): Text =>
  roles.length === 0
    ? say`${code(listed.phrase)} is not available in this channel`
    : say`${code(listed.phrase)} requires the ${enumerate(roles.map(strong), 'or')} role`;

function inOrder(entries: readonly GuideEntry[]): readonly GuideEntry[] {
  return entries.toSorted((one, other) => areaOf(one.command).localeCompare(areaOf(other.command)));
}

/** *`/appliance help vlan` – 12 commands, such as `vlan list`*; a command alone as itself. */
function groupLine({ name, entries }: CommandGroup<GuideEntry>): Text {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return usage(first);
  return say`${code(`/appliance help ${name}`)} – ${plural(entries.length, 'command')}, such as ${code(first?.command.example ?? '')}`;
}

/** One command with its whole declaration and who may run it. */
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
        // Commands about the bot itself may start a change with its own effect, as undo does.
        ...(explained.kind === 'info' ? [] : [{ name: 'Effect', value: say`${effectOf(explained)}` }]),
        ...(explained.kind === 'change' ? [{ name: 'Verified', value: say`${checkOf(explained)}` }] : []),
        { name: 'Roles', value: whoMay(entry) },
        ...(approval === undefined ? [] : [{ name: 'Approval', value: approval }]),
        {
          name: 'You',
          value: allowed
            ? say`can run it here`
            : say`cannot run it here${obstacle === undefined ? [] : say`. ${obstacle}`}`,
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
    const left = phrase.includes(`[--${name}]`) || phrase.includes(`[${name}]`) ? ' (optional)' : '';
    return say`${shown}${what}${asked}${left}`;
  });
}

const general = (explained: AnyCommand): Text =>
  explained.kind === 'change'
    ? say`${isUndoable(explained) ? say`${code('--for 2h')} or ${code('--until 18:00')} makes it temporary; ` : []}${code('--at 22:00')} or ${code('--window')} with the name of a window plans it; ${code('--ticket CHG-123')} names the ticket of the change; ${code('--on')} runs it on other appliances of this channel; ${code('--dry-run')} only shows what would be sent.`
    : say`${code('--on')} queries other appliances of this channel: names, ${code('all')} or ${code('tag:…')}.`;

function whoMay({ command: explained, roles }: GuideEntry): Text {
  if (explained.kind === 'info' && explained.anywhere) return say`everyone, anywhere`;
  return roles.length === 0 ? say`nobody in this channel` : enumerate(roles.map(strong), 'or');
}

/** Commands about the same thing: a whole area, or a part of a large one such as "rdp members". */
interface CommandGroup<Entry> {
  readonly name: string;
  readonly entries: readonly Entry[];
}

interface Listed {
  readonly command: AnyCommand;
}

/** A larger area is grouped by nouns. */
const large = 12;

/** In alphabetical order. `all` holds every command, so that everybody sees the same group names. */
function groupsOf<Entry extends Listed>(
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
