import { channel, clock, code, enumerate, plural, say, type Text } from '../../handlers/reply.ts';
import type { Excess, LimitedKind, RequestExcess } from '../limits/limits.ts';

/** What is more than one person may have at once. */
export type TooMany =
  /** `lines`: those that were not run, as far as they were read. */
  | {
      readonly code: 'too_many';
      readonly excess: Excess;
      readonly lines: readonly (string | undefined)[];
    }
  /** A click on a message whose last click by the same person is under way. */
  | { readonly code: 'click_under_way' }
  | { readonly code: 'too_many_requests'; readonly excess: RequestExcess; readonly line: string };

/** The words for each: what there is already, what was not done, and when it works again. */
export function tooMany(fault: TooMany): Text {
  switch (fault.code) {
    case 'too_many':
      return things[fault.excess.kind] === 'click' ? tooManyClicks(fault.excess) : tooManyLines(fault);
    case 'click_under_way':
      return say`Your last click on this message is still under way, so this one did nothing.`;
    case 'too_many_requests':
      return tooManyRequests(fault);
  }
}

/** As they are counted. */
const things: Readonly<Record<LimitedKind, string>> = {
  line: 'line',
  lookup: 'question',
  history: 'question about what was done',
  change: 'change',
  click: 'click',
  decision: 'click',
  form: 'form',
  search: 'search',
  home: 'page',
};

/** Where it is not the same with an s. */
const manyOf: Partial<Readonly<Record<LimitedKind, string>>> = {
  history: 'questions about what was done',
  search: 'searches',
};

function tooManyLines({ excess, lines }: Extract<TooMany, { code: 'too_many' }>): Text {
  const { kind, most, again } = excess;
  const what = plural(most, things[kind], manyOf[kind]);
  const it = lines.length === 1 ? 'it' : 'them';
  const were = lines.length === 1 ? 'was' : 'were';
  return again === undefined
    ? say`You have ${what} under way, as many as one person can have. ${named(lines)} ${were} not run, and no changes were made. Type ${it} again when one of those under way is over.`
    : say`You have asked ${what} within a minute, as many as one person can. ${named(lines)} ${were} not run, and no changes were made. Type ${it} again after ${clock(again)}.`;
}

/** More of them are counted. */
const mostNamed = 3;

function named(lines: readonly (string | undefined)[]): Text {
  const known = lines.filter((line) => line !== undefined).slice(0, mostNamed);
  const more = lines.length - known.length;
  if (known.length === 0) return lines.length === 1 ? say`What you typed` : say`${plural(more, 'line')}`;
  const others = more === 0 ? [] : [[plural(more, 'more line', 'more lines')]];
  return enumerate([...known.map((line) => [code(line)]), ...others]);
}

const tooManyClicks = ({ most, again }: Excess): Text =>
  again === undefined
    ? say`${plural(most, 'click')} of yours are still under way, so this one did nothing. Press again when they are answered.`
    : say`You have pressed ${plural(most, 'button')} within a minute, as many as one person can, so this click did nothing. Press again after ${clock(again)}.`;

function tooManyRequests({ excess, line }: Extract<TooMany, { code: 'too_many_requests' }>): Text {
  const { kind, most, ofWorkflowsIn } = excess;
  const nothing = say`${code(line)} was not requested: nobody was asked, and no changes were made.`;
  if (ofWorkflowsIn !== undefined) {
    const there = channel(ofWorkflowsIn);
    return kind === 'open'
      ? say`${plural(most, 'request')} of workflows wait for approval in ${there}, as many as one channel can have. ${nothing} Run the workflow again when some of them are approved or denied there.`
      : say`Workflows have asked for approval in ${there} ${plural(most, 'time')} within an hour without getting it. ${nothing} Run the workflow again after ${clock(excess.again)}.`;
  }
  return kind === 'open'
    ? say`${plural(most, 'request')} of yours wait for approval, as many as one person can have. ${nothing} Withdraw one of them, or ask again when one is answered.`
    : say`You have asked for approval ${plural(most, 'time')} within an hour without getting it. ${nothing} You can ask again after ${clock(excess.again)}.`;
}
