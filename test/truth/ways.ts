import type { fieldFaults } from '../../sandbox/appliance/kinds.ts';

type FieldFault = keyof typeof fieldFaults;

/** The requests of a command that a fault hits. */
type Hits =
  /** The order itself. */
  | 'order'
  /** Questions, from the preview on. */
  | 'questions'
  /** Questions after the order has arrived, which is carried out. */
  | 'questions after the order'
  /** The same for a lost order: an error, without effect. */
  | 'questions after a lost order'
  /** Questions after the confirmation. */
  | 'questions after the yes'
  /** The compile that makes a change live. */
  | 'compile'
  /** The same, and nothing comes of it. */
  | 'idle compile';

const failing = ['order', 'questions', 'compile'] as const;
const lists = ['questions', 'questions after the order', 'questions after a lost order'] as const;

/** Every fault of the field, and the requests it is tried on. */
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

/** A fault without any answer from the preview on leaves nothing of a change to be judged. */
const isFailing = ({ fault }: Way): boolean => failing.every((one) => hits[fault].includes(one));

const isOfCompile = ({ hits }: Way): boolean => hits === 'compile' || hits === 'idle compile';

export const waysOfLookups = all.filter((way) => way.hits === 'questions');
export const waysOfChanges = all.filter(
  (way) => !isOfCompile(way) && !(way.hits === 'questions' && isFailing(way)),
);
export const waysOfCompiles = all.filter(isOfCompile);
