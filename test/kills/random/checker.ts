import { type Meaning, meaningOf } from './orders.ts';
import type { JournalRow, Order, Reading, Testimony, TypedLine } from './testimony.ts';

/** What does not agree, by what it is; each in words, with the line that it is about. */
export interface Findings {
  /** A line that was acknowledged, and nothing was said to whoever typed it. */
  readonly lost: readonly Finding[];
  /** An order that was sent more than once. */
  readonly doubled: readonly Finding[];
  /** An order that nobody has asked for, or that the journal did not know of. */
  readonly impossible: readonly Finding[];
  /** A sentence that is not true. */
  readonly untrue: readonly Finding[];
  /** What does not come to its end. */
  readonly endless: readonly Finding[];
}

export interface Finding {
  readonly number: number | undefined;
  readonly words: string;
}

/** Compares what the witnesses say. Shares nothing with the bot but the paths of the appliance and what people read. */
export function check(testimony: Testimony): Findings {
  return {
    lost: lostIn(testimony),
    doubled: doubledIn(testimony),
    impossible: impossibleIn(testimony),
    untrue: untrueIn(testimony),
    endless: endlessIn(testimony),
  };
}

const mentions = (text: string, number: number): boolean => new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text);
const someNumber = /(?<!\d)1\d{6}(?!\d)/;
/** A card of something that is under way: no answer yet. */
const isUnderWay = (text: string): boolean => text.startsWith(':hourglass');

const isSeenBy = ({ to }: Reading, person: string): boolean => to === undefined || to === person;

/** As each message stood in the end. */
const lastOf = (read: readonly Reading[]): readonly Reading[] => [
  ...new Map(read.map((reading) => [`${reading.channel} ${reading.id} ${reading.to}`, reading])).values(),
];

function lostIn({ typed, read }: Testimony): readonly Finding[] {
  const messages = lastOf(read);
  // A form that was opened was an answer, whatever it says when it is sent.
  const forms = read.filter(({ channel }) => channel === '');
  const cards = new Map(messages.map(({ channel, id, text }) => [`${channel} ${id}`, text]));
  /** A reply is about what its card is about. */
  const aboutIn = ({ channel, thread, text }: Reading): string =>
    thread === undefined ? text : `${text} ${cards.get(`${channel} ${thread}`) ?? ''}`;
  const isAnswer = ({ number, person, at }: TypedLine) => {
    const answers = [...messages, ...forms].filter(
      (one) =>
        one.at >= at && isSeenBy(one, person) && !isUnderWay(one.text) && mentions(aboutIn(one), number),
    );
    return answers.length > 0;
  };
  // That the bot was stopped, and that something went wrong, is said without the line: each such word is for one line.
  const words = messages.filter(({ to, text }) => to !== undefined && text !== '' && !someNumber.test(text));
  const used = new Set<Reading>();
  return typed.flatMap((one) => {
    if (!one.isAcknowledged || isAnswer(one)) return [];
    const word = words.find(
      (reading) =>
        !used.has(reading) &&
        reading.to === one.person &&
        reading.at >= one.at &&
        (reading.channel === one.channel || reading.channel.startsWith('D')),
    );
    if (word !== undefined) {
      used.add(word);
      return [];
    }
    return [{ number: one.number, words: `${one.person} was told nothing of: ${one.line}` }];
  });
}

interface Meant extends Order, Meaning {}

const meant = ({ orders }: Testimony): readonly Meant[] =>
  orders.flatMap((order) => {
    const meaning = meaningOf(order.method, order.path);
    return meaning === undefined ? [] : [{ ...order, ...meaning }];
  });

/** After these the appliance may have been ordered something. */
const ran = new Set(['running', 'done', 'failed', 'unknown']);

const isOf = ({ phrase, words }: Meaning, row: JournalRow): boolean =>
  row.phrase?.startsWith(phrase) === true && (words === '' || row.line.includes(words));

/** What is asked for by a card is ordered once at most, and nothing is ordered more often than the journal has actions for it. */
function doubledIn(testimony: Testimony): readonly Finding[] {
  const once = meant(testimony).filter(({ mayRepeat }) => !mayRepeat);
  const same = Map.groupBy(once, ({ method, path }) => `${method} ${path}`);
  return [...same].flatMap(([order, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const actions = testimony.journal.filter((row) => isOf(first, row) && ran.has(row.state)).length;
    const most = first.number !== undefined && confirmedBy.has(first.phrase) ? Math.min(1, actions) : actions;
    if (all.length <= Math.max(most, 1)) return [];
    return [
      { number: first.number, words: `${order} was ordered ${all.length} times for ${actions} actions` },
    ];
  });
}

/** The button without which it may not be ordered. */
const confirmedBy: ReadonlyMap<string, string> = new Map([
  ['rdp disconnect', 'Disconnect'],
  ['rdp policy delete', 'Approve'],
  ['rdp policy enable', 'Undo'],
  ['rdp member password', 'Set password'],
  ['emergency enable', 'Approve'],
]);

function impossibleIn(testimony: Testimony): readonly Finding[] {
  const { typed, clicks } = testimony;
  return meant(testimony).flatMap((order) => {
    const { number, phrase, at, method, path, intents, mayRepeat } = order;
    const said = `${method} ${path} was ordered`;
    const isAbout = (other: number) => number === undefined || other === number;
    if (typed.every((one) => !isAbout(one.number) || one.at > at || phrase === unknown))
      return [{ number, words: `${said}, and nobody has typed anything like it` }];
    const label = mayRepeat ? undefined : confirmedBy.get(phrase);
    const isPressed = clicks.some((one) => isAbout(one.number) && one.label === label && one.at <= at);
    if (label !== undefined && !isPressed)
      return [{ number, words: `${said}, and nobody has pressed ${label}` }];
    if (intents?.length === 0 && !mayRepeat)
      return [{ number, words: `${said}, and the journal did not say before that it would be` }];
    return [];
  });
}

const unknown = 'nothing that anybody types here';

/** What people read when it has happened, by the command; at the beginning of a card. */
const happened: readonly (readonly [phrase: string, RegExp])[] = [
  ['rdp disconnect', /^:white_check_mark: Session 1\d{6} of \S+ on \S+ disconnected/],
  ['rdp policy delete', /^:white_check_mark: Policy Policy-1\d{6} deleted/],
  ['rdp policy disable', /^:white_check_mark: Policy Policy-1\d{6} disabled/],
  ['rdp policy enable', /^:white_check_mark: Policy Policy-1\d{6} enabled/],
  ['rdp member password', /^:white_check_mark: Password of member user-1\d{6} set/],
  ['acl object disable', /^:white_check_mark: ACL object object-1\d{6} disabled/],
  ['emergency enable', /^:rotating_light: Emergency mode on \S+(?: and \S+)? is on/],
];

const denied = /\bnothing was (?:done|changed|sent)|no changes were made|\bit (?:did|has) not happen/i;

/** Said by a click or a second line that came too late: true of that one, whatever became of the first. */
const ofAnother = /click did nothing|already/i;

function untrueIn(testimony: Testimony): readonly Finding[] {
  const orders = meant(testimony);
  const isFor = isForIn(testimony);
  const orderedBefore = (phrase: string, number: number, at: number) =>
    orders.some((one) => one.phrase === phrase && isFor(one, number) && one.at <= at);
  const cards = new Map<string, string>();
  const found: Finding[] = [];
  const successes = testimony.read.flatMap(({ text }) => {
    const said = happened.find(([, words]) => words.test(text));
    return said === undefined ? [] : [`${said[0]} ${someNumber.exec(text)?.[0]}`];
  });
  for (const reading of testimony.read) {
    const { channel, id, thread, text, at } = reading;
    if (thread === undefined && reading.to === undefined) cards.set(`${channel} ${id}`, text);
    const about = someNumber.test(text) ? text : (cards.get(`${channel} ${thread}`) ?? '');
    const number = Number(someNumber.exec(about)?.[0]);
    if (Number.isNaN(number)) continue;
    const success = happened.find(([, words]) => words.test(text));
    if (success !== undefined && !orderedBefore(success[0], number, at)) {
      found.push({
        number,
        words: `“${beginningOf(text)}” was to be read, and the appliance was not ordered it`,
      });
    }
    if (!denied.test(text) || ofAnother.test(text)) continue;
    const phrase = phraseIn(about);
    const order = orders.find(
      (one) =>
        one.phrase === phrase &&
        // What is compiled with it, or ended again and again, is another line's as well, and none of it makes this one happen.
        !one.mayRepeat &&
        isFor(one, number) &&
        // What was on its way while this was written may still have been refused.
        (one.endedAt ?? Number.POSITIVE_INFINITY) < at,
    );
    // Where another card says that it was done, this one was not the one that did it.
    if (order !== undefined && !successes.includes(`${phrase} ${number}`)) {
      found.push({
        number,
        words: `“${beginningOf(text)}” was to be read, and ${order.method} ${order.path} was ordered`,
      });
    }
  }
  const restored =
    testimony.restores > 0
      ? [{ number: undefined, words: 'the journal was taken for one that was restored from a backup' }]
      : [];
  return [...restored, ...new Map(found.map((one) => [`${one.number} ${one.words}`, one])).values()];
}

/** The command whose card it is. */
const phraseIn = (text: string): string | undefined => {
  const line = /\/appliance ([^`]*)/.exec(text)?.[1] ?? text;
  return happened.map(([phrase]) => phrase).find((phrase) => line.includes(phrase));
};

/** Whether an order is for the line of this number; what carries none is known by the actions that the journal meant to order it for. */
function isForIn({ journal }: Testimony): (order: Meant, number: number) => boolean {
  const lines = new Map(journal.map(({ id, line }) => [id, line]));
  return ({ number, intents }, wanted) =>
    number === undefined
      ? intents === undefined || intents.some((id) => mentions(lines.get(id) ?? '', wanted))
      : number === wanted;
}

const beginningOf = (text: string): string => text.split('\n')[0]?.slice(0, 160) ?? '';

function endlessIn({ read, left, journal }: Testimony): readonly Finding[] {
  const working = lastOf(read).filter(({ text }) => isUnderWay(text));
  const open = journal.filter(({ state }) => ['asked', 'approved', 'running'].includes(state));
  return [
    ...left.map((words) => ({ number: undefined, words })),
    ...working.map(({ text }) => ({
      number: Number(someNumber.exec(text)?.[0]),
      words: `“${beginningOf(text)}” still stands there`,
    })),
    ...open.map(({ line, state }) => ({
      number: Number(someNumber.exec(line)?.[0]),
      words: `${line} is ${state}`,
    })),
  ];
}
