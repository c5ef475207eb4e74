import { freezesAhead } from '../../auth/calendar/freeze.ts';
import { nextSpan } from '../../auth/calendar/spans.ts';
import { hoursInWords } from '../../auth/hours.ts';
import type { Calendar, PlannedThing } from '../../handlers/planned/list.ts';
import { type Reply, say } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { freezeOver } from '../authority/freeze-over.ts';
import { consentOf } from '../base/consent.ts';
import { appliancesActedOn, commandOf, lineNow, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
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
    readonly moveTo: (token: string, said: string) => Promise<Reply>;
    readonly mayCancel: (action: Action) => Promise<boolean>;
  },
): Promise<readonly PlannedThing[]> {
  const { plannedIn: planned, movedIn } = parts.journal;
  const all = [...(await planned([channel], most)), ...(await movedIn([channel], most))];
  const actions = all.filter(({ direct }) => direct === undefined || direct === inDirect);
  const things = actions.map(async (action) =>
    (await thingOf(parts, action)).map((thing) => ({
      ...thing,
      mayCancel: () => may.mayCancel(action),
      moveTo: (said: string) => may.moveTo(thing.token, said),
    })),
  );
  return (await Promise.all(things)).flat();
}

async function thingOf(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal'>,
  action: Action,
): Promise<readonly Omit<PlannedThing, 'moveTo' | 'mayCancel'>[]> {
  const { id, token, runAt, person, ticket, card, channel, direct, consent } = action;
  const shown = shownOf(action);
  if (token === undefined || runAt === undefined) return [];
  const given = consent === undefined ? [] : await parts.journal.approvalsOf(id, token);
  const command = commandOf(parts.commandByPhrase, action);
  return [
    {
      ...{ runsAt: shown?.start?.at ?? runAt, person, channel, token, ticket },
      waits: action.state === 'waiting',
      line: lineNow(action),
      lasts: shown?.temporary?.lasts,
      until: shown?.temporary?.until,
      what: shown === undefined ? [action.line] : withoutMark(shown.question),
      appliances: appliancesActedOn(action),
      window: shown?.start?.window,
      approvedBy: given.map((one) => one.person),
      reason: consentOf(action)?.reason ?? '',
      card: direct === undefined ? card : undefined,
      frozen: command && (await freezeOver(parts, action, command))?.name,
    },
  ];
}

/** When changes may be made here. */
export function calendarOf({ authority, now }: Pick<Parts, 'authority' | 'now'>): Calendar {
  const policy = authority.policy();
  const { windows = {}, timeZone } = policy;
  return {
    timeZone,
    freezes: freezesAhead(now(), policy).map(({ name, from, to, freeze: { commands, except, reason } }) => ({
      ...{ name, from, to, except, reason },
      holds: commands === undefined ? say`all changes` : rulesInWords(commands),
    })),
    windows: Object.entries(windows).map(([name, hours]) => ({
      name,
      hours: hours.map(hoursInWords).join('; '),
      next: nextSpan(hours, now(), timeZone),
    })),
  };
}
