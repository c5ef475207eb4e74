import type { fieldFaults } from '../../sandbox/appliance/kinds.ts';

type FieldFault = keyof typeof fieldFaults;

/** What of a command a fault can hit. */
type Hits =
  /** What orders. */
  | 'order'
  /** What asks, from the preview on. */
  | 'questions'
  /** What asks, from the moment at which the order arrives, which is carried out. */
  | 'questions after the order'
  /** The same where the order is lost: it gets an error, and is not carried out. */
  | 'questions after a lost order'
  /** What asks, from the moment at which somebody says yes to what was shown. */
  | 'questions after the yes'
  /** What brings a change into force. */
  | 'compile'
  /** The same, and nothing comes of it. */
  | 'idle compile';

const failing = ['order', 'questions', 'compile'] as const;
const lists = ['questions', 'questions after the order', 'questions after a lost order'] as const;

/** Every fault of the field, and what it is tried on. */
const hits: Readonly<Record<FieldFault, readonly Hits[]>> = {
  refusal: failing,
  crash: failing,
  html: failing,
  html404: failing,
  empty: [...failing, 'idle compile'],
  braces: [...failing, 'idle compile'],
  late: failing,
  'done-but-false': failing,
  cut: failing,
  forgets: ['order', 'compile'],
  'done-later': ['order', 'compile'],
  'stale-4': ['questions after the order'],
  'stale-10': ['questions after the order'],
  'stale-60': ['questions after the order'],
  'stale-300': ['questions after the order'],
  'lists-empty': lists,
  'lists-null': lists,
  'lists-cut': lists,
  'lists-paged': lists,
  'lists-twice': lists,
  'clock-ahead': ['questions'],
  'clock-behind': ['questions'],
  'other-host': ['questions after the yes'],
  'other-serial': ['questions after the yes'],
  'other-service-pack': ['questions after the yes'],
};

/** One way in which an appliance answers a command. */
export interface Way {
  readonly fault: FieldFault;
  readonly hits: Hits;
}

const all: readonly Way[] = Object.entries(hits).flatMap(([fault, each]) =>
  // The table's keys are the faults.
  each.map((one) => ({ fault: fault as FieldFault, hits: one })),
);

/** What answers nothing at all from the preview on leaves nothing of a change to be judged. */
const isFailing = ({ fault }: Way): boolean => failing.every((one) => hits[fault].includes(one));

const isOfCompile = ({ hits }: Way): boolean => hits === 'compile' || hits === 'idle compile';

export const waysOfLookups = all.filter((way) => way.hits === 'questions');
export const waysOfChanges = all.filter(
  (way) => !isOfCompile(way) && !(way.hits === 'questions' && isFailing(way)),
);
export const waysOfCompiles = all.filter(isOfCompile);
