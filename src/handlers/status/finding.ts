import type { ApplianceFailure } from '../../api/index.ts';
import { enumerate, plainText, plural, say, strong, type Text } from '../reply.ts';
import { whyNot } from '../wording/answer.ts';

export const gravities = ['emergency', 'fault', 'unasked', 'notice', 'fine'] as const;
export type Gravity = (typeof gravities)[number];

export interface HealthFinding {
  readonly area: string;
  readonly gravity: Gravity;
  /** A sentence without its full stop. */
  readonly says: Text;
  /** A note for the line about a healthy appliance, if there is one; for an unreadable area, the reason. */
  readonly brief?: string;
  /** Distinguishes faults in the same area that differ by a number. */
  readonly which?: string;
  /** Caused by emergency mode, which is a finding of its own. */
  readonly ofEmergency?: true;
}

/** An unreadable area is a finding too. */
export function unasked(area: string, failure: ApplianceFailure): HealthFinding {
  const brief = whyNot(failure);
  return { area, gravity: 'unasked', says: say`Could not be asked: ${brief}`, brief };
}

const marks: Readonly<Record<Gravity, string>> = {
  emergency: '🚨',
  fault: '❌',
  unasked: '⚠️',
  notice: 'ℹ️',
  fine: '✅',
};

export const markOf = ({ gravity }: Pick<HealthFinding, 'gravity'>): string => marks[gravity];

/** Gravest first, otherwise in order. */
export const byGravity = (findings: readonly HealthFinding[]): readonly HealthFinding[] =>
  findings.toSorted((one, other) => gravities.indexOf(one.gravity) - gravities.indexOf(other.gravity));

/** Whether the summary line says everything. */
export const isWell = (findings: readonly HealthFinding[]): boolean =>
  findings.every(({ gravity }) => gravity === 'fine' || gravity === 'notice');

/** More findings in a line would hide the first. */
const mostTold = 3;

/** One line: healthy with notes, or the problems, gravest first. */
export function summary(findings: readonly HealthFinding[]): Text {
  const sorted = byGravity(findings);
  const [gravest] = sorted;
  const of = (...wanted: readonly Gravity[]) => sorted.filter(({ gravity }) => wanted.includes(gravity));
  const notices = of('notice').map(({ says }) => says);
  if (gravest === undefined || isWell(sorted)) {
    const briefs = findings.flatMap(({ brief }) => (brief === undefined ? [] : [brief]));
    return sentences([say`✅ ${strong('No problems found')}: ${enumerate(briefs)}`, ...notices]);
  }
  const wrong = of('emergency', 'fault');
  const told = wrong.slice(0, mostTold).map(({ says }) => says);
  const more = wrong.length - told.length;
  const reasons = Map.groupBy(of('unasked'), ({ brief = '' }) => brief);
  const notAsked = [...reasons].flatMap(([why, areas], index) => [
    index === 0 ? 'Could not be asked: ' : '; ',
    ...enumerate(areas.map(({ area }) => area)),
    ` – ${why}`,
  ]);
  return say`${markOf(gravest)} ${sentences([
    ...told,
    ...(more === 0 ? [] : [say`${plural(more, 'more problem')}`]),
    ...(notAsked.length === 0 ? [] : [notAsked]),
  ])}`;
}

/**
 * A few words that begin with the mark of the gravest finding: healthy with oddities, or the gravest one.
 * `other`: the text also mentions another problem.
 */
export function briefly(findings: readonly HealthFinding[], other = false): Text {
  const sorted = byGravity(findings);
  const [gravest] = sorted;
  if (gravest === undefined || isWell(sorted)) {
    const release = findings.find(({ area }) => area === 'Version')?.brief;
    const notices = sorted.filter(({ gravity }) => gravity === 'notice').map(({ says }) => says);
    return sentences([
      say`✅ no ${other ? 'other ' : ''}problems found${release === undefined ? '' : `, ${release}`}`,
      ...notices,
    ]);
  }
  const others = sorted.filter(({ gravity }) => gravity !== 'fine' && gravity !== 'notice').length - 1;
  const more = others === 0 ? '' : ` and ${others} more`;
  return gravest.gravity === 'unasked'
    ? say`${markOf(gravest)} Could not be asked: ${gravest.area}${more} – ${gravest.brief ?? 'no reason told'}`
    : say`${markOf(gravest)} ${gravest.says}${more === '' ? '' : `,${more}`}`;
}

/** The gravity that a text of `briefly` shows. */
export const gravityOf = (brief: Text): Gravity =>
  gravities.find((gravity) => plainText(brief).startsWith(marks[gravity])) ?? 'fine';

const sentences = (texts: readonly Text[]): Text =>
  texts.flatMap((text, index) => (index === 0 ? text : ['. ', ...text]));
