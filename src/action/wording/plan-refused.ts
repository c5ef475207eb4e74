import { plural, type Reply, say, type Text } from '../../handlers/reply.ts';

/** What is wrong with a line of a plan. */
export interface LineFaultOf<Fault> {
  /** Which one it is of those that were typed. */
  readonly number: number;
  readonly text: string;
  readonly fault: Fault;
}

/** Some lines of a plan cannot be run, so none of it is. */
export interface PlanRefusedOf<Fault> {
  readonly code: 'plan_refused';
  readonly lines: readonly LineFaultOf<Fault>[];
  readonly of: number;
}

/** Every such line, with its number and its reason. */
export function planRefused<Fault>(
  { lines, of }: PlanRefusedOf<Fault>,
  explain: (fault: Fault) => Reply,
): Reply {
  return {
    headline: say`${plural(lines.length, 'line')} of ${of} can’t be run, so nothing is asked for and no changes were made. Correct ${lines.length === 1 ? 'it' : 'them'} and send the plan again.`,
    details: [
      {
        kind: 'table',
        columns: ['Line', 'Command', 'Why'],
        rows: lines.map(({ number, text, fault }) => [
          say`${number}`,
          say`${text}`,
          withoutPromise(explain(fault).headline),
        ]),
      },
    ],
  };
}

/** Of a sentence that ends with saying that nothing was changed the part before that. */
export const withoutPromise = (text: Text): Text =>
  text.map((span, index) => {
    if (typeof span !== 'string') return span;
    const shorter = span.replace(/\s*No changes were made\.\s*/, ' ');
    return index === text.length - 1 ? shorter.trimEnd() : shorter;
  });
