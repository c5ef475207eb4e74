import { freezesAhead, nextSpan } from '../../auth/calendar/freeze.ts';
import { hoursInWords } from '../../auth/hours.ts';
import { linesOf } from '../../handlers/plan/line-numbers.ts';
import type { Calendar, PlannedThing } from '../../handlers/planned/list.ts';
import { type Acted, elapsed, moment, plainText, type Reply, say, type Text } from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action } from '../../journal/journal.ts';
import { consentOf } from '../base/consent.ts';
import { appliancesActedOn, lineNow, type Shown, shownOf, type Temporary } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { keptBack } from '../ground/kept-back.ts';
import { withoutMark } from '../showing/card.ts';
import { rulesInWords } from '../wording/rules.ts';

/** More rows than anybody reads, and than are planned at once. */
const most = 1_000;

/** What is planned in a channel, what comes first before the others; what was planned in a direct message is listed there alone. */
export async function plannedIn(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal'>,
  channel: string,
  inDirect: string | undefined,
  may: {
    readonly moveTo: (token: string, said: string) => Promise<Acted>;
    readonly barTo: (token: string, said: string) => Promise<Reply | undefined>;
    readonly mayCancel: (action: Action) => Promise<boolean>;
  },
): Promise<readonly PlannedThing[]> {
  const { plannedIn: planned, waitingIn } = parts.journal;
  // What got another time waits to be agreed to again, and nothing runs at the old one.
  const moved = (await waitingIn([channel], most)).filter((one) => shownOf(one)?.start?.was !== undefined);
  const all = [...(await planned([channel], most)), ...moved];
  const actions = all.filter(({ direct }) => direct === undefined || direct === inDirect);
  const things = actions.map(async (action) =>
    (await thingOf(parts, action)).map((thing) => ({
      ...thing,
      mayCancel: () => may.mayCancel(action),
      moveTo: (said: string) => may.moveTo(thing.token, said),
      barTo: (said: string) => may.barTo(thing.token, said),
    })),
  );
  return (await Promise.all(things)).flat();
}

async function thingOf(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal'>,
  action: Action,
): Promise<readonly Omit<PlannedThing, 'moveTo' | 'barTo' | 'mayCancel'>[]> {
  const { id, token, runAt, person, ticket, card, channel, direct, consent } = action;
  const shown = shownOf(action);
  const runsAt = shown?.start?.at ?? runAt;
  if (token === undefined || runsAt === undefined) return [];
  const given = consent === undefined ? [] : await parts.journal.approvalsOf(id, token);
  return [
    {
      runsAt,
      person,
      channel,
      token,
      ticket,
      waits: action.state === 'waiting',
      line: lineNow(action),
      reference: referenceOf(id),
      lines: shown?.steps?.map(({ line }) => line) ?? [],
      ends: shown && endsOf(shown),
      what: shown === undefined ? [action.line] : withoutMark(shown.question),
      appliances: appliancesActedOn(action),
      window: shown?.start?.window,
      approvedBy: given.map((one) => one.person),
      reason: consentOf(action)?.reason ?? '',
      card: direct === undefined ? card : undefined,
      keptBack: (await keptBack(parts, action))?.briefly,
    },
  ];
}

/** When it is undone; of a plan line by line, where they differ. */
function endsOf({ temporary, steps = [] }: Pick<Shown, 'temporary' | 'steps'>): Text | undefined {
  if (temporary !== undefined) return endIn(temporary);
  const working = steps.filter(({ kind }) => kind !== 'idle');
  const same = Map.groupBy(working, (step) => plainText(endIn(step.temporary) ?? []));
  const each = [...same.values()].map((some) => ({
    numbers: some.map(({ number }) => number),
    end: endIn(some[0]?.temporary),
  }));
  const [first, ...others] = each;
  if (others.length === 0) return first?.end;
  const all = each.map(({ numbers, end = say`for good` }) => say`${linesOf(numbers)}: ${end}`);
  return all.flatMap((one, index) => (index === 0 ? one : [...say`; `, ...one]));
}

function endIn({ lasts, until }: Temporary = {}): Text | undefined {
  if (until !== undefined) return say`${moment(until)}`;
  return lasts === undefined ? undefined : say`after ${elapsed(lasts)}`;
}

/** When changes may be made here. */
export function calendarOf({ authority, now }: Pick<Parts, 'authority' | 'now'>): Calendar {
  const policy = authority.policy();
  const { windows = {}, timeZone } = policy;
  return {
    timeZone,
    freezes: freezesAhead(now(), policy).map(({ name, from, to, freeze: { commands, except, reason } }) => ({
      name,
      from,
      to,
      except,
      reason,
      holds: commands === undefined ? say`all changes` : rulesInWords(commands),
    })),
    windows: Object.entries(windows).map(([name, hours]) => ({
      name,
      hours: hours.map(hoursInWords).join('; '),
      next: nextSpan(hours, now(), timeZone),
    })),
  };
}
