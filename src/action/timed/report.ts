import {
  clock,
  code,
  elapsed,
  enumerate,
  type Field,
  type Part,
  person,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { reasonGivenIn } from '../../handlers/temporary/said-end.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Ended, Given, TimedChangeRow } from '../../journal/journal.ts';
import { isUnverified } from '../../journal/timed/timed-change-row.ts';
import { isBreakGlass } from '../base/consent.ts';
import { lineNow } from '../base/stored.ts';
import { howItEnded } from '../history/timed-end.ts';
import type { TimedName } from '../wording/timed.ts';

/** Everything about it, when it is over, but for what its card says. `onCard`: the fields there. */
export function closing(
  named: TimedName,
  timedChange: TimedChangeRow,
  ended: Ended,
  action: Action,
  approvals: readonly Given[],
  extensions: readonly PutOff[],
  others: readonly Action[],
  onCard: readonly string[],
): Reply {
  const near = (at: number) => when(at, ended.at);
  const approved = approvals.map(({ person: by, at }) => say`${person(by)} at ${near(at)}`);
  const cut = extensions.find(({ at, until }) => until <= at);
  const early = ended.how === 'ended' ? cut?.action : undefined;
  const fields: readonly Field[] = [
    // The card names whoever ran it.
    ...(timedChange.person === action.person
      ? []
      : [{ name: 'Asked by', value: askedBy(timedChange, action) }]),
    ...(approved.length === 0 && named.kind === 'change'
      ? []
      : [{ name: 'Approved by', value: approved.length === 0 ? unapproved(action) : enumerate(approved) }]),
    ...(timedChange.reason === '' ? [] : [{ name: 'Reason', value: say`${timedChange.reason}` }]),
    {
      name: 'Time',
      value: say`from ${near(timedChange.startedAt)} to ${near(ended.at)}, ${elapsed(ended.at - timedChange.startedAt)}; planned until ${near(cut?.from ?? timedChange.endsAt)}`,
    },
    ...extensions
      .filter(({ at, until }) => until > at)
      .map(({ action: by, approvals: yes, at, until, from }): Field => {
        const who =
          by === undefined
            ? []
            : say`, ${extendedBy(
                by,
                yes.map(({ person: id }) => id),
              )}${reasonOf(by)}`;
        const isShorter = from !== undefined && until < from;
        return {
          name: isShorter ? 'Shortened' : 'Extended',
          value: say`at ${near(at)} ${isShorter ? 'to end at' : 'until'} ${near(until)}${who}`,
        };
      }),
    {
      name: 'Ended',
      value:
        early === undefined
          ? howItEnded(timedChange, ended, action, clock)
          : say`by ${person(early.person)} at ${clock(ended.at)}${reasonOf(early)}`,
    },
    {
      name: 'Verified',
      value: ended.how === 'confirmed' ? say`no: the appliance couldn’t confirm it` : verified(ended),
    },
    ...(ended.stays === undefined ? [] : [{ name: 'Stays', value: say`${ended.stays}` }]),
    ...(others.length === 0
      ? [{ name: 'Meanwhile', value: say`no other changes were made there with Appliance Bot` }]
      : []),
  ];
  const news = fields.filter(({ name }) => !onCard.includes(name));
  return {
    headline:
      named.kind === 'mode'
        ? say`${strong(`${named.name} on ${timedChange.appliance} ${isUnverified(ended) ? 'was ended, not verified' : 'is over'}.`)}`
        : say`${strong(overInWords(ended))} ${named.done}, on ${strong(timedChange.appliance)}.`,
    details: [{ kind: 'fields', fields: news }, ...meanwhile(others)],
  };
}

/** Whose wish it was, also where somebody else has undone what had taken it away. */
const askedBy = ({ person: by }: TimedChangeRow, { person: other }: Action): Text =>
  say`${person(by)}; brought back by ${person(other)}`;

/** What became of a change that was temporary. */
const overInWords = ({ how, stays }: Ended): string =>
  how === 'kept'
    ? 'Kept for good:'
    : how === 'replaced'
      ? stays === undefined
        ? 'No longer temporary:'
        : 'Not undone:'
      : 'Over, and undone:';

const verified = (ended: Ended): Text => {
  const { how, says } = ended;
  if (isUnverified(ended)) return say`no. ${says}`;
  return how === 'kept' || how === 'replaced' ? say`${says}` : say`yes. ${says}`;
};

/** By whom its end was put off. */
interface PutOff {
  readonly action: Action | undefined;
  readonly approvals: readonly Given[];
  readonly at: number;
  readonly until: number;
  readonly from?: number | undefined;
}

/** What has become of its end. */
export const movedTo = ({ from, until }: Pick<PutOff, 'from' | 'until'>, now: number): Text =>
  from !== undefined && until < from
    ? say`Shortened to end at ${when(until, now)}`
    : say`Extended until ${when(until, now)}`;

/** "asked by @bob and approved by @carol". */
export function extendedBy(action: Action, approvers: readonly string[]): Text {
  const asked = say`requested by ${person(action.person)}`;
  return approvers.length === 0 ? asked : say`${asked} and approved by ${enumerate(approvers.map(person))}`;
}

/** Why it was moved: commands that put an end off say so, and a line that was typed may. */
function reasonOf({ args, line }: Action): Text {
  const { reason } = Object(args);
  const why = typeof reason === 'string' ? reason : reasonGivenIn(line);
  return why === '' ? [] : say`: ${why}`;
}

const unapproved = ({ args, person: by }: Action): Text =>
  isBreakGlass(args) ? say`nobody: ${person(by)} used break-glass` : say`nobody: no approval was needed`;

/** Rows that are told of what else was done; the journal has the others. */
const mostOthers = 20;

function meanwhile(others: readonly Action[]): readonly Part[] {
  if (others.length === 0) return [];
  const more = others.length - mostOthers;
  return [
    { kind: 'text', text: say`${strong('Changed there meanwhile')}${more > 0 ? `, and ${more} more` : ''}:` },
    {
      kind: 'table',
      columns: ['Who', 'What', 'Result'],
      rows: others
        .slice(0, mostOthers)
        .map((one) => [say`${person(one.person)}`, say`${code(lineNow(one))}`, say`${one.state}`]),
    },
  ];
}
