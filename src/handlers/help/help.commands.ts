import { distance } from 'fastest-levenshtein';
import { word } from '../argument.ts';
import type { AnyCommand, Guide, GuideEntry, Rights } from '../command.ts';
import { areaOf, nameOf } from '../command-name.ts';
import { info } from '../declare.ts';
import {
  code,
  enumerate,
  type Offer,
  type Part,
  paragraph,
  type Reply,
  say,
  strong,
  type Text,
} from '../reply.ts';
import { createReader } from '../understanding/reader.ts';
import { explain } from './explained.ts';
import { standing } from './listing.ts';
import { groupsOf } from './nouns.ts';
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

/** Of each topic in the overview, which is a screen at most. */
const mostOfTopic = 2;

const runOne: Offer = { label: 'Run a command', line: 'help', build: true };

/** What people come for, as far as they may do something of it here. */
function overview(guide: Guide): Reply {
  const allowed = guide.commands.filter((entry) => entry.allowed);
  const shown = !guide.served
    ? []
    : topics.flatMap((topic) => {
        const entries = allowed.filter(({ command: one }) => isOf(topic, one));
        return entries.length === 0 ? [] : [{ topic, entries }];
      });
  return {
    headline: say`What you can run here:`,
    details: [
      ...(guide.obstacle === undefined ? [] : [{ kind: 'text', text: guide.obstacle } as const]),
      ...shown.flatMap(({ topic, entries }): Part[] => [
        paragraph`${strong(topic.title)}`,
        { kind: 'list', items: firstOf(topic, entries, mostOfTopic).map(tried) },
      ]),
      // What answers everywhere is of no topic.
      ...(guide.served ? [] : [{ kind: 'list', items: allowed.map(tried) } as const]),
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

/** A line to type as it stands: the phrase has more, and more to read. */
const tried = ({ command: listed }: GuideEntry): Text =>
  say`${code(`/appliance ${listed.example}`)} – ${listed.summary}`;

function about(topic: string, guide: Guide, rights: Rights): Reply {
  const found = groupCalled(topic.toLowerCase(), guide) ?? [];
  const named = guide.commands.filter(({ command: one }) => nameOf(one) === topic.toLowerCase());
  const [own] = named;
  // `plan` is what its area is about, and the others are what follows from it.
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

/** A topic, an area, or what many commands of an area are about: "rdp members". */
function groupCalled(words: string, { commands }: Guide): readonly GuideEntry[] | undefined {
  const topic = topicNamed(words);
  if (topic !== undefined) return commands.filter(({ command: one }) => isOf(topic, one));
  // `status` is a command, `resolver` one and an area as well.
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
    ? { headline: say`No command matches ${code(topic)}. ${code('/appliance help')} shows where to start.` }
    : {
        headline: say`No command matches ${code(topic)}. Did you mean:`,
        details: standing(nearest, guide),
      };
}

/** The commands of the area of which a topic is a slip of the fingers: "rpd". */
function nearestArea(topic: string, { commands }: Guide): readonly GuideEntry[] {
  const far = (entry: GuideEntry) => distance(areaOf(entry.command), topic.slice(0, 40));
  const least = Math.min(...commands.map(far));
  return topic.length > 2 && least < 3 ? commands.filter((entry) => far(entry) === least) : [];
}
