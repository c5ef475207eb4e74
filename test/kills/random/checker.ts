import { type Meaning, meaningOf } from './orders.ts';
import type { JournalRow, Order, Reading, Testimony, ToldEvent, TypedLine } from './testimony.ts';

/** Contradictions by kind; each in words, with the line that it is about. */
export interface Findings {
  /** An acknowledged line whose author got no answer. */
  readonly lost: readonly Finding[];
  /** An order that was sent more than once. */
  readonly doubled: readonly Finding[];
  /** An order that nobody has asked for, or that the journal did not know of. */
  readonly impossible: readonly Finding[];
  /** A sentence that is not true. */
  readonly untrue: readonly Finding[];
  /** A message that stands twice. */
  readonly twice: readonly Finding[];
  /** Webhook deliveries that are missing, or came in another order. */
  readonly untold: readonly Finding[];
  /** A button that does nothing any more. */
  readonly dead: readonly Finding[];
  /** Work that never ended. */
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
    twice: twiceIn(testimony),
    untold: untoldIn(testimony),
    dead: deadIn(testimony),
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
  // Messages about a stop or an internal error do not name the line: each one counts for one line.
  const words = messages.filter(({ to, text }) => to !== undefined && text !== '' && !someNumber.test(text));
  const told = new Map<Reading, TypedLine>();
  /** Finds a message for a line, and another one for the line that had it so far. */
  const hasWord = (line: TypedLine, tried = new Set<Reading>()): boolean =>
    words.some((word) => {
      const fits =
        word.to === line.person &&
        word.at >= line.at &&
        (word.channel === line.channel || word.channel.startsWith('D'));
      if (!fits || tried.has(word)) return false;
      tried.add(word);
      const other = told.get(word);
      if (other !== undefined && !hasWord(other, tried)) return false;
      told.set(word, line);
      return true;
    });
  return typed
    .filter((line) => line.isAcknowledged && !isAnswer(line) && !hasWord(line))
    .map(({ number, person, line }) => ({ number, words: `${person} was told nothing of: ${line}` }));
}

interface Meant extends Order, Meaning {}

const meant = ({ orders }: Testimony): readonly Meant[] =>
  orders.flatMap((order) => {
    const meaning = meaningOf(order.method, order.path);
    return meaning === undefined ? [] : [{ ...order, ...meaning }];
  });

/** After these the appliance may have been ordered something. */
const ran = new Set(['running', 'done', 'failed', 'unknown']);

/** The bot's own actions are recorded with the change that they end. */
const isOwn = ({ line }: Pick<JournalRow, 'line'>): boolean => line.startsWith('(');

const isOf = ({ phrase, words }: Meaning, row: JournalRow): boolean =>
  row.phrase?.startsWith(phrase) === true && (words === '' || row.line.includes(words)) && !isOwn(row);

/** A card orders once at most, and the journal has an action for every order. */
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

/** The button that must precede the order, unless the order undoes a temporary change. */
const confirmedBy: ReadonlyMap<string, RegExp> = new Map([
  ['rdp disconnect', /^(?:Disconnect|Plan)$/],
  ['rdp policy delete', /^Approve$/],
  ['rdp policy enable', /^Undo$/],
  ['acl object enable', /^Undo$/],
  ['rdp member password', /^Set password$/],
  ['category add', /^Allow/],
  ['category delete', /^Undo$/],
  ['emergency enable', /^Approve$/],
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
    const isPressed = clicks.some((one) => isAbout(one.number) && label?.test(one.label) && one.at <= at);
    const isForATime = typed.some((one) => one.number === number && one.line.includes('--for '));
    const endsByItself = isForATime && /(?:enable|delete)$/.test(phrase) && phrase !== 'emergency enable';
    if (label !== undefined && !isPressed && !endsByItself)
      return [{ number, words: `${said}, and nobody has pressed ${label.source}` }];
    // The bot's own orders have no action of their own.
    if (endsByItself) return [];
    if (intents?.length === 0 && !mayRepeat)
      return [{ number, words: `${said}, and the journal did not say before that it would be` }];
    return [];
  });
}

const unknown = 'nothing that anybody types here';

/** The first words of a card after success, by command. */
const happened: readonly (readonly [phrase: string, RegExp])[] = [
  ['rdp disconnect', /^:white_check_mark: Session 1\d{6} of \S+ on \S+ disconnected/],
  ['rdp policy delete', /^:white_check_mark: Policy Policy-1\d{6} deleted/],
  ['rdp policy disable', /^:white_check_mark: Policy Policy-1\d{6} disabled/],
  ['rdp policy enable', /^:white_check_mark: Policy Policy-1\d{6} enabled/],
  ['rdp member password', /^:white_check_mark: Password of member user-1\d{6} set/],
  ['acl object disable', /^:white_check_mark: ACL object object-1\d{6} disabled/],
  ['acl object enable', /^:white_check_mark: ACL object object-1\d{6} enabled/],
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
    // A message about a plan reports its lines.
    if (about.includes('/appliance plan')) continue;
    const phrase = phraseIn(about);
    const order = orders.find(
      (one) =>
        one.phrase === phrase &&
        // Compiles and repeated ends belong to other lines as well, and do not make this one happen.
        !one.mayRepeat &&
        isFor(one, number) &&
        // An order on its way at this time may still have been refused.
        (one.endedAt ?? Number.POSITIVE_INFINITY) < at,
    );
    // Another card claims this success, so this one was not the one that ordered it.
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

/** Whether an order belongs to the line of this number; an order without a number is known by the intents of the journal. */
function isForIn({ journal }: Testimony): (order: Meant, number: number) => boolean {
  const lines = new Map(journal.map(({ id, line }) => [id, line]));
  return ({ number, intents }, wanted) =>
    number === undefined
      ? intents === undefined || intents.some((id) => mentions(lines.get(id) ?? '', wanted))
      : number === wanted;
}

const beginningOf = (text: string): string => text.split('\n')[0]?.slice(0, 160) ?? '';

/** Messages that Slack accepted more than once: with the same key, or as the card of the same action. */
function twiceIn({ posts }: Testimony): readonly Finding[] {
  const repeated = (by: 'key' | 'card') =>
    [...Map.groupBy(posts, (post) => post[by])].flatMap(([name, all]) =>
      name === undefined || all.length === 1
        ? []
        : [
            {
              number: Number(someNumber.exec(all[0]?.text ?? '')?.[0]),
              words: `posted ${all.length} times: “${beginningOf(all[0]?.text ?? '')}” (${by} ${name})`,
            },
          ],
    );
  return [...repeated('key'), ...repeated('card')];
}

const open: ReadonlySet<string> = new Set(['asked', 'waiting', 'planned', 'approved', 'running']);

/** Events that may follow a change's outcome. */
const afterwards = ['change.undone', 'change.ended'];

/** Each asked change with an outcome is delivered with both, in this order, and with all later events. */
function untoldIn({ journal, told }: Testimony): readonly Finding[] {
  const byAction = Map.groupBy(onceEach(told), ({ action }) => action);
  return journal.flatMap((row) => {
    if (row.effect === null || row.effect === 'read' || isOwn(row) || open.has(row.state)) return [];
    const types = (byAction.get(row.id) ?? []).map(({ type }) => type);
    // A change that failed before its question has sent nothing to anybody.
    if (types.length === 0 && (row.state === 'refused' || row.state === 'failed')) return [];
    const own = types.filter((type) => !afterwards.includes(type));
    const outcomes =
      row.state === 'cancelled' ? ['change.cancelled', 'change.denied'] : [`change.${row.state}`];
    const undone = journal.filter(({ undoes, state }) => undoes === row.id && state === 'done').length;
    const count = (type: string) => types.filter((one) => one === type).length;
    const isRight =
      own[0] === 'change.asked' &&
      outcomes.includes(own.at(-1) ?? '') &&
      types.lastIndexOf(own.at(-1) ?? '') === own.length - 1 &&
      count('change.undone') === undone &&
      count('change.ended') === row.ends;
    return isRight
      ? []
      : [
          {
            number: Number(someNumber.exec(row.line)?.[0]),
            words: `of ${row.line}, which is ${row.state}, ended ${row.ends} and undone ${undone} times, another system was told: ${types.join(', ') || 'nothing'}`,
          },
        ];
  });
}

/** Deliveries as a receiver keeps them: repeated ones are known by their ID. */
const onceEach = (told: readonly ToldEvent[]): readonly ToldEvent[] => [
  ...new Map(told.map((event) => [event.id, event])).values(),
];

/** Buttons by which something is decided. */
const deciding = /^(?:Disconnect|Approve|Deny…|Cancel|Set password|Run plan|Plan|Change the time…)$/;

/** Buttons that stay on cards although their purpose is over. */
function deadIn({ read, journal }: Testimony): readonly Finding[] {
  const cards = new Map(lastOf(read).map((reading) => [reading.id, reading]));
  return journal.flatMap((row) => {
    const card = cards.get(row.card ?? '');
    if (card === undefined || isOwn(row)) return [];
    const isUndone = journal.some(({ undoes, state }) => undoes === row.id && state === 'done');
    const isOpen = row.state === 'waiting' || row.state === 'planned';
    const dead = (card.labels ?? []).filter(
      (label) =>
        (label === 'Stop' && row.state !== 'running') ||
        (deciding.test(label) && !isOpen) ||
        (label === 'Undo' && isUndone),
    );
    return dead.map((label) => ({
      number: Number(someNumber.exec(row.line)?.[0]),
      words: `[${label}] stands on the card of ${row.line}, which is ${row.state}${isUndone ? ' and undone' : ''}`,
    }));
  });
}

function endlessIn({ read, left, journal }: Testimony): readonly Finding[] {
  const working = lastOf(read).filter(({ text }) => isUnderWay(text));
  const unended = journal.filter(({ state }) => ['asked', 'approved', 'running'].includes(state));
  return [
    ...left.map((words) => ({ number: undefined, words })),
    ...working.map(({ text }) => ({
      number: Number(someNumber.exec(text)?.[0]),
      words: `“${beginningOf(text)}” still stands there`,
    })),
    ...unended.map(({ line, state }) => ({
      number: Number(someNumber.exec(line)?.[0]),
      words: `${line} is ${state}`,
    })),
  ];
}
