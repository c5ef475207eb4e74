import { inWords } from '../../handlers/audit/recalled.ts';
import { lineOf, lineOptions } from '../../handlers/language/asked.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import type { TypedStart } from '../../handlers/language/times/start.ts';
import { plan } from '../../handlers/plan/plan.commands.ts';
import {
  code,
  enumerate,
  type Offer,
  type Part,
  person,
  plainText,
  say,
  type Text,
} from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { lineNow, type Shown, shownOf, stepsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { momentary } from '../showing/card.ts';
import { concernedBy, inPerson } from '../showing/mentioned.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { askWithTicket } from '../wording/not-approved.ts';

/** Why something planned did not run. `details`: what shows it. */
export interface NotRun {
  readonly state: 'cancelled' | 'expired';
  readonly code: string;
  readonly why: Text;
  readonly details?: readonly Part[];
  /** Changes are frozen until then: milliseconds since the epoch. */
  readonly frozenUntil?: number | undefined;
}

/** Ends what did not run at its time, and tells so in its thread, to whoever asked and to those who approved it, with a button that asks again. */
export type EndNotRun = (action: Action, how: NotRun) => Promise<void>;

export function createEndNotRun({
  authority,
  journal,
  match,
  notifications,
  secretStore,
}: Pick<Parts, 'authority' | 'journal' | 'match' | 'notifications' | 'secretStore'>): EndNotRun {
  return async (action, { state, code: why, why: said, details = [], frozenUntil }) => {
    const isThere = why === 'nothing_to_act_on';
    const headline = isThere ? withoutEnd(action, said) : said;
    const offers = isThere ? [] : offersFor(action, why, frozenUntil);
    const people = await concernedBy(journal, action);
    const ended = await notifications.transitionAndNotify(
      action,
      state,
      { outcome: { code: why, ...inWords(headline) } },
      {
        headline,
        threadReply: {
          headline: say`${enumerate(people.map(person))}: this was planned and ${isThere ? 'had nothing left to do' : 'did not run'}: ${code(lineNow(action))}. ${headline}`,
          details: [...details, ...(offers.length === 0 ? [] : [{ kind: 'offers', offers } as const])],
        },
        also: inPerson(action, people, isThere ? 'had nothing left to do' : 'did not run', headline),
      },
    );
    if (ended === undefined) return;
    // Kept for so long, it may be at hand nowhere.
    await secretStore.fetch(action.id);
    await secretStore.forget(action.id);
  };

  /** The line as it runs now, or after the freeze, which is looked at and put before whoever asked, whatever it is. */
  function offersFor(action: Action, why: string, frozenUntil: number | undefined): readonly Offer[] {
    const { understoodAs, line, person: only } = action;
    const start: TypedStart | undefined =
      frozenUntil === undefined
        ? undefined
        : { option: 'at', text: typedMoment(frozenUntil, authority.policy().timeZone) };
    const now = why === 'ticket_wanted' ? askWithTicket : 'Ask again now';
    const label = start === undefined ? now : 'Plan for after the freeze';
    const ofPlan = linesOf(action);
    // Its own line has no room for all of them.
    if (ofPlan !== undefined) {
      // That of one line is none of the others'.
      const isForAll = stepsIn(action).every(({ ticket }) => ticket === action.ticket);
      const options = lineOptions({ start, ...(isForAll && { ticket: action.ticket }) });
      const lines = [...(options === '' ? [] : [options]), ...ofPlan].join('\n');
      const asked = { phrase: plan.phrase, typed: { lines: [lines] } };
      return [{ label, line, asked, guess: true, only }];
    }
    const found = match(understoodAs ?? line);
    if (found.kind !== 'command' && found.kind !== 'missing') return [];
    return [{ label, line: lineOf({ ...found, start }), guess: true, only }];
  }
}

/** Who wanted it for a time must not think that it ends. */
const withoutEnd = (action: Action, said: Text): Text => {
  const { lasts, until } = shownOf(action)?.temporary ?? {};
  return lasts === undefined && until === undefined
    ? said
    : say`${said} It is not undone at the end that was asked for, because this has not made it.`;
};

/** Those of a plan that was typed, each with all that was said of it. */
function linesOf(action: Action): readonly string[] | undefined {
  const steps = action.phrase === plan.phrase ? stepsIn(action) : [];
  return steps.length === 0 ? undefined : steps.map(({ line }) => line);
}

/** What is not as it was agreed to, side by side. */
export function differences(then: Shown, now: Shown): readonly Part[] {
  const before = new Map(then.fields.map(({ name, value }) => [name, value]));
  const after = new Map(now.fields.map(({ name, value }) => [name, value]));
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !momentary.has(name));
  const rows = [
    ['Question', then.question, now.question] as const,
    ...names.map((name) => [name, before.get(name) ?? say`–`, after.get(name) ?? say`–`] as const),
  ].filter(([, one, other]) => plainText(one) !== plainText(other));
  return rows.length === 0
    ? []
    : [
        {
          kind: 'table',
          columns: ['What', 'When it was planned', 'Now'],
          rows: rows.map(([name, one, other]) => [say`${name}`, one, other]),
        },
      ];
}

export const notRunFor = (fault: Fault): NotRun => ({
  state: fault.code === 'too_late' ? 'expired' : 'cancelled',
  code: fault.code,
  why: explain(fault).headline,
});
