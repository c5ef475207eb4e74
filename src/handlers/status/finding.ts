import type { ApplianceFailure } from '../../api/index.ts';
import { enumerate, plainText, plural, say, strong, type Text } from '../reply.ts';
import { whyNot } from '../wording/answer.ts';

/** How grave something is, gravest first. */
export const gravities = ['emergency', 'fault', 'unasked', 'notice', 'fine'] as const;
export type Gravity = (typeof gravities)[number];

/** What was found in one area of an appliance. */
export interface HealthFinding {
  /** Such as "Directory". */
  readonly area: string;
  readonly gravity: Gravity;
  /** A sentence without its full stop. */
  readonly says: Text;
  /** What the line about a healthy appliance tells of it, where that is worth telling; of what could not be asked, why. */
  readonly brief?: string;
  /** Which of several it is about, where a number says that: another one is another fault. */
  readonly which?: string;
  /** It is so because of the emergency mode, which is a finding of its own. */
  readonly ofEmergency?: true;
}

/** That an area could not be asked about is a finding, too. */
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

/** What is wrong first; what is equally grave stays in its order. */
export const byGravity = (findings: readonly HealthFinding[]): readonly HealthFinding[] =>
  findings.toSorted((one, other) => gravities.indexOf(one.gravity) - gravities.indexOf(other.gravity));

/** Whether the line above says all that there is to say. */
export const isWell = (findings: readonly HealthFinding[]): boolean =>
  findings.every(({ gravity }) => gravity === 'fine' || gravity === 'notice');

/** More in one line would hide the first. */
const mostTold = 3;

/** One line: that all is well and what there is to know, or what is wrong, the gravest first. */
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
 * In a few words, beginning with the mark of the gravest: that all is well and what is odd, or the gravest of all. `other`: a problem
 * that is not among these is told beside it.
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

/** How grave the worst is that a text of `briefly` tells. */
export const gravityOf = (brief: Text): Gravity =>
  gravities.find((gravity) => plainText(brief).startsWith(marks[gravity])) ?? 'fine';

const sentences = (texts: readonly Text[]): Text =>
  texts.flatMap((text, index) => (index === 0 ? text : ['. ', ...text]));
