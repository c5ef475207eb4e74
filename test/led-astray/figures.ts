import { nameOf } from '../../src/handlers/command-name.ts';
import { commands } from '../../src/handlers/registry.ts';
import type { Line } from './lines.ts';
import { isOpposite, type Shown } from './polarity.ts';
import type { Heard } from './replay.ts';

/** A line, and how well it was taken. */
export interface Replayed {
  readonly line: Line;
  readonly heard: Heard;
  readonly accepted: 'first' | 'among' | 'missed';
  /** The counted faults. There must be none. */
  readonly faults: readonly Fault[];
}

/** Answers that lead somebody astray. */
export const faults = ['opposite', 'unasked', 'false can’t', 'false nothing'] as const;
/** Weaknesses that are counted beside the faults. */
const flaws = [
  'unmeant command',
  'false alarm',
  'change to a question',
  'site for no site',
  'unwanted words',
] as const;
type Fault = (typeof faults)[number] | (typeof flaws)[number];

const reading = new Set(commands.filter(({ effect }) => effect === 'read').map(nameOf));

export function judge(line: Line, heard: Heard): Replayed {
  const own = [...heard.ran, ...heard.asked];
  const shown = [...own, ...heard.offered];
  // Buttons in the answer to a lookup are ways on from it, and no choices of what was meant.
  const isAnswered = heard.ran.some(({ name }) => reading.has(name)) && heard.changed.length === 0;
  const choices = isAnswered && line.polarity === undefined ? own : shown;
  const can = (name: string) => line.accept.includes(name);
  const saysCannot =
    heard.kind === 'impossible' || /can[’']t do that/.test(heard.text.split('\n', 1)[0] ?? '');
  const hasAlarm = heard.kind === 'secret' || /contains a password/.test(heard.text);
  const tellsOfEmergency = line.situation === 'emergency' && /emergency/i.test(heard.text);
  const offersSite = choices.some(({ name }) => name === 'ask');
  const [first] = choices;
  const unwanted = line.never.filter((one) => one.startsWith('~')).map((one) => one.slice(1).toLowerCase());
  // A copy of the typed line holds its own words, and a reason holds anybody's.
  const offeredWords = shown
    .filter((one) => one.line !== line.line)
    .map((one) => one.line.replace(/ --reason (?:"[^"]*"|\S+)/g, '').toLowerCase());
  const found: Record<Fault, boolean> = {
    opposite: choices.some((one) => isOpposite(line, one)),
    unasked: heard.changed.length > 0 && heard.changed.toSorted().join() !== line.becomes.toSorted().join(),
    'false can’t': saysCannot && !can('NONE'),
    'false nothing':
      line.situation !== undefined && nothing.test(heard.text) && !can('NOTHING') && !tellsOfEmergency,
    'unmeant command': choices.some(({ name }) => line.never.includes(`!${name}`)),
    'false alarm': hasAlarm && !can('ALARM'),
    'change to a question': line.never.includes('CHANGE') && first !== undefined && !reading.has(first.name),
    'site for no site': line.never.includes('SITE') && offersSite,
    'unwanted words': unwanted.some((one) => offeredWords.some((words) => words.includes(one))),
  };
  const rank = rankOf();
  return {
    line,
    heard,
    accepted: rank === undefined ? 'missed' : rank === 0 ? 'first' : 'among',
    faults: [...faults, ...flaws].filter((one) => found[one]),
  };

  /** The rank of the first right one among the shown. */
  function rankOf(): number | undefined {
    if (can('ANY')) return 0;
    const special = specials.find(([name]) => can(name) && answers(name));
    if (special !== undefined) return 0;
    const fits = ({ name, line: words }: Shown) =>
      line.accept.some((one) => nameOf({ phrase: one }) === name) &&
      line.keep.every((word) => keeps(words, word));
    const at = shown.findIndex(fits);
    return at === -1 ? undefined : at;
  }

  /** The answer of a command shows its object. */
  function keeps(words: string, word: string): boolean {
    const wanted = word.toLowerCase();
    const hasRun = own.length > 0;
    const plain = words.replace(wrapper, '').toLowerCase();
    return plain.includes(wanted) || (hasRun && heard.text.toLowerCase().includes(wanted));
  }

  function answers(name: (typeof specials)[number][0]): boolean {
    const { text, labels } = heard;
    switch (name) {
      case 'NONE':
        return saysCannot;
      case 'ALARM':
        return hasAlarm;
      case 'SHORT':
        return !/unknown command/i.test(text) && text !== '' && text.length <= 400 && own.length === 0;
      case 'SITE':
        return offersSite && line.keep.every((word) => text.toLowerCase().includes(word.toLowerCase()));
      case 'APPROVAL':
        return labels.some((one) => one.startsWith('Ask for approval')) || heard.asked.length > 0;
      case 'WAITS':
        return heard.canApprove && tellsOfEmergency;
      case 'TELLS':
        return tellsOfEmergency && /approv|wait/i.test(text) && !/unknown command/i.test(text);
      case 'NOTHING':
        return /nothing|\bno\b|none/i.test(text) && !/unknown command/i.test(text);
    }
  }
}

const specials = [
  ['NONE'],
  ['ALARM'],
  ['SHORT'],
  ['SITE'],
  ['APPROVAL'],
  ['WAITS'],
  ['TELLS'],
  ['NOTHING'],
] as const;

/** An address with another one in it: repeating it does not show which of them the bot took. */
const wrapper = /\S*:\/\/\S*(?:%2F|%3A|:\/\/|-3A__|[?&]domain=|&u=a1)\S*/gi;

/** Phrases that deny the existence of something. */
const nothing =
  /none of your requests|nothing (?:is (?:temporary|waiting|planned)|waits|to approve|for you)|no (?:changes|requests?|approvals?|plans?|watches|temporary)\b[^.\n]*(?:wait|open|here|on)|is(?: not|n[’']t) an action/i;

/** A Markdown table of how often what happened, kind by kind. */
export function tableOf(replayed: readonly Replayed[]): string {
  const head = ['', 'lines', 'first', 'among', 'missed', ...faults, ...flaws];
  const row = (name: string, some: readonly Replayed[]) => {
    const count = (is: (one: Replayed) => boolean) => some.filter(is).length;
    return [
      name,
      some.length,
      ...(['first', 'among', 'missed'] as const).map((one) => count(({ accepted }) => accepted === one)),
      ...[...faults, ...flaws].map((fault) => count((one) => one.faults.includes(fault))),
    ];
  };
  const rows = [
    ...[...Map.groupBy(replayed, ({ line }) => line.kind)].map(([kind, some]) => row(kind, some)),
    row('all', replayed),
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The result in one line, for people. */
export function told({ line, heard, accepted, faults: found }: Replayed): string {
  const list = (some: readonly Shown[]) =>
    [...new Set(some.map((one) => `[${one.name}] ${one.line}`))].join('; ') || '-';
  return [
    `${line.kind}: ${line.line.slice(0, 160)} (${line.as}, ${line.in})`,
    `wanted ${line.accept.join('|')}${line.keep.length > 0 ? ` with ${line.keep.join(', ')}` : ''}: ${accepted}`,
    ...(found.length > 0 ? [`FAULTS ${found.join(', ')}`] : []),
    `ran ${list(heard.ran)}`,
    `asked ${list(heard.asked)}`,
    `offered ${list(heard.offered)}`,
    `changed ${heard.changed.join(', ') || '-'}`,
    heard.text.replaceAll('\n', ' / ').slice(0, 200),
  ].join('\n    ');
}
