import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { startInWords } from '../../handlers/planned/words.ts';
import {
  code,
  enumerate,
  type Field,
  person,
  plainText,
  plural,
  say,
  strong,
  type Text,
  ticketLink,
} from '../../handlers/reply.ts';
import { isSkipped } from '../../handlers/results.ts';
import { isLookedForAgain, type State } from '../../journal/actions/states.ts';
import type { Action, Given } from '../../journal/journal.ts';
import { strangeIn } from '../../marks.ts';
import type { Button, Card, SaidPart } from '../base/chat.ts';
import { isConsentReadable, isDelegated } from '../base/consent.ts';
import { appliancesOf, isOrder, lineNow, type Shown, shownOf, type Target } from '../base/stored.ts';
import { consentFields } from './consent-fields.ts';
import { linesAsked } from './plans/plan-lines.ts';
import { doingOnAll, notSaidIn } from './previews.ts';

/** What a card shows beside its action. */
export interface CardContent {
  readonly headline?: Text | undefined;
  readonly notice?: Text | undefined;
  readonly progress?: Text | undefined;
  readonly buttons?: readonly Button[] | undefined;
  readonly alarm?: boolean | undefined;
  /** Who has approved it so far. */
  readonly given?: readonly Given[] | undefined;
  /** It was taken back, or has ended: what showed it then is no news. */
  readonly isOver?: boolean | undefined;
  readonly isUndone?: boolean | undefined;
  /** Of a plan that has ended, what became of its lines. */
  readonly lines?: readonly Text[] | undefined;
}

/** The card of a change in whatever state its action is: one builder, so a restart draws what stood there before. */
export function changeCard(
  action: Action,
  command: AnyCommand | undefined,
  {
    headline,
    notice,
    progress,
    buttons = [],
    alarm,
    given = [],
    isOver = false,
    isUndone,
    lines = [],
  }: CardContent = {},
): Card {
  const shown = shownOf(action);
  const evidence = (isOver ? action.outcome?.undone : action.outcome?.evidence) ?? [];
  const title = named(action, command, shown, headline ?? headlineOf(action, command, shown));
  /** What was left alone, where the card does not say so already. */
  const isUnsaid = (field: Field) =>
    isSkipped(field) && !evidence.some((line) => line.includes(plainText(field.value)));
  // The lines of a plan may have some of their own.
  const each = [action.ticket, ...(shown?.steps ?? []).map(({ ticket }) => ticket)];
  const tickets = [...new Set(each.flatMap((one) => one ?? []))];
  const fields = [
    ...(tickets.length === 0
      ? []
      : [
          {
            name: tickets.length === 1 ? 'Ticket' : 'Tickets',
            value: enumerate(tickets.map((one) => say`${ticketLink(one)}`)),
          },
        ]),
    ...(shown === undefined || isWithheld(action, command)
      ? linesAsked(action)
      : // What was left out of a file, or of what was named, stays news.
        isOldNews(action, shown)
        ? [...(shown.steps === undefined ? shown.fields.filter(isUnsaid) : []), ...(shown.sources ?? [])]
        : fieldsNow(action, shown.fields, title).filter((field) => !isSkipped(field) || isUnsaid(field))),
    ...consentFields(action, given),
    ...(action.state === 'waiting' && shown !== undefined
      ? strangeness(action, isWithheld(action, command) ? undefined : shown)
      : []),
  ];
  return {
    kind: 'change',
    ...frame(action),
    headline: title,
    parts: [
      ...linesOf(evidence),
      ...(lines.length === 0 ? [] : [{ kind: 'list', items: lines } as const]),
      ...(fields.length === 0 ? [] : [{ kind: 'fields', fields } as const]),
      ...(buttons.length === 0 ? [] : [{ kind: 'buttons', buttons } as const]),
    ],
    alarm,
    isUndone,
    notice,
    progress,
    question: questionOf(action, command),
  };
}

/** Moments stand in it as the journal writes them; whatever else looks like an ID was written by an appliance. */
const linesOf = (lines: readonly string[]): readonly SaidPart[] =>
  lines.map((line) => ({ kind: 'text', text: recalled(line, () => false) }));

/** What nobody agreed to is named where it is said that it was not done. */
function named(action: Action, command: AnyCommand | undefined, shown: Shown | undefined, said: Text): Text {
  if (action.state !== 'expired' && action.state !== 'cancelled') return said;
  const asked = shown === undefined || isWithheld(action, command) ? undefined : shown.question;
  // At its time it was as it was to be.
  const isThere = action.runAt !== undefined && action.outcome?.code === 'nothing_to_act_on';
  return say`${isThere ? 'Nothing to do' : 'Not done'}: ${asked === undefined ? code(action.line) : withoutMark(asked)}. ${said}`;
}

/** "Disconnect session 12?" as the name of what was asked. */
export function withoutMark(question: Text): Text {
  return question.map((span, index) => {
    if (typeof span !== 'string') return span;
    const told = span.replace(/\? (?=\S)/, '. ');
    return index === question.length - 1 ? told.replace(/[?.]$/, '') : told;
  });
}

function questionOf(action: Action, command: AnyCommand | undefined): Card['question'] {
  const { state, token, expiresAt, consent } = action;
  if (state !== 'waiting' || token === undefined || expiresAt === undefined || command === undefined) {
    return undefined;
  }
  // In a window that is open it runs at once.
  const isPlanned = (shownOf(action)?.start?.at ?? 0) > action.changedAt;
  const verb = command.kind !== 'change' ? 'Ask' : isPlanned ? 'Plan' : command.verb;
  return { token, verb, expiresAt, approval: consent !== undefined };
}

/** What is marked in what somebody is to agree to (`marks.ts`) is explained there: it may be another name than it looks like. */
function strangeness({ line }: Action, shown: Shown | undefined): readonly Field[] {
  const { question = [], fields = [] } = shown ?? {};
  const all = [line, plainText(question), ...fields.flatMap(({ name, value }) => [name, plainText(value)])];
  const { unseen, mixed } = strangeIn(all.join(' '));
  return [
    ...(mixed
      ? [
          {
            name: 'Look-alikes',
            value: say`⚠ stands behind a word with letters of different alphabets: it may not be the name it looks like`,
          },
        ]
      : []),
    ...(unseen
      ? [
          {
            name: 'Invisible',
            value: say`\ufffd marks an invisible character: this name may not be the one it looks like`,
          },
        ]
      : []),
  ];
}

/**
 * Whoever asked for it may not see what it would hit before somebody has agreed, and reads along: those who may agree are
 * shown it alone (`click.ts`).
 */
export const isWithheld = (action: Action, command: AnyCommand | undefined): boolean =>
  // Nobody knows whose it is to see then.
  !isConsentReadable(action) ||
  (command !== undefined &&
    isDelegated(action) &&
    !agreed.has(action.state) &&
    // Of what only tells something there is nothing to see before, but where it cannot be asked.
    (isOrder(command, action) || (shownOf(action)?.fields ?? []).length > 0));
const agreed: ReadonlySet<State> = new Set([
  ...(['planned', 'approved', 'running', 'done', 'failed', 'unknown'] as const),
]);

/** What could be put back ran without a question; how it was before is no news when it is done. Of a plan the thread tells what became of each line. */
const isOldNews = ({ effect, state }: Action, shown: Shown): boolean =>
  (effect === 'write' && state === 'done') || (shown.steps !== undefined && !isOpen.has(state));

/** What previews warn of, and what is changed, by these names; when it is done, it is over. */
const warnings: ReadonlySet<string> = new Set([
  'Mind',
  'Meanwhile',
  'Cut meanwhile',
  'Now ends',
  'On already',
  'Off already',
  'Removed already',
]);

/** How long something had been so, and what was to come, is no news when it is over: its clock stands still on the card. */
export const momentary: ReadonlySet<string> = new Set([
  ...['Since', 'Open since', 'For', 'State when asked', 'Runs'],
]);
const isOpen: ReadonlySet<State> = new Set([
  ...(['asked', 'waiting', 'planned', 'approved', 'running', 'unknown'] as const),
]);

/** The fields of a preview that say more than the headline; after the deed "State up" would contradict "is down". */
function fieldsNow({ state }: Action, fields: readonly Field[], headline: Text): readonly Field[] {
  const news = notSaidIn(headline, fields);
  if (isOpen.has(state)) return news;
  const lasting = news.filter(({ name }) => !momentary.has(name));
  if (state !== 'done') return lasting;
  return lasting
    .filter(({ name }) => !warnings.has(name))
    .map((field) => (field.name === 'State' ? { ...field, name: 'State before' } : field));
}

/** The card of a lookup: its headline in the channel; the details go to the thread. */
export function lookupCard(action: Action, headline: Text, parts: readonly SaidPart[] = []): Card {
  return { kind: 'lookup', ...frame(action), headline, parts };
}

function frame(action: Action) {
  return {
    action: action.id,
    channel: action.direct ?? action.channel,
    thread: action.thread,
    card: action.card,
    ...(action.direct !== undefined && { rulesOf: action.channel }),
    // What is looked at again goes on.
    state: isLookedForAgain(action) ? ('running' as const) : action.state,
    asker: action.person,
    line: lineNow(action),
    appliances: appliancesOf(action),
    at: action.changedAt,
  };
}

/** How it stands, in words. */
export function headlineOf(
  action: Action,
  command: AnyCommand | undefined,
  shown: Shown | undefined = shownOf(action),
): Text {
  if (action.outcome !== undefined) return withNames(action.outcome.headline ?? action.outcome.says);
  if (
    action.state === 'waiting' &&
    command !== undefined &&
    isOrder(command, action) &&
    isDelegated(action)
  ) {
    return say`Let ${person(action.person)} run ${code(action.line)}?`;
  }
  if (action.state === 'waiting' && shown !== undefined) return shown.question;
  if (action.state === 'planned' && shown?.start !== undefined)
    return say`Planned for ${startInWords(shown.start)}: ${withoutMark(shown.question)}`;
  return command?.kind === 'change' && shown?.targets[0] !== undefined
    ? say`${doingIn(command, shown.targets)}…`
    : say`${code(action.line)}`;
}

/** What is under way, as the line for it begins: "Disconnecting session 12 of bob.miller on srv-hr-01". */
export function doingIn(command: AnyChange, targets: readonly Target[]): Text {
  const doing = doingOnAll(command, targets) ?? [command.verb];
  const isOnSeveral = targets.length > 1 && command.gathers === undefined;
  return isOnSeveral ? say`${doing} on ${strong(plural(targets.length, 'appliance'))}` : doing;
}

/** What was written down of it, with the name of whoever it tells of: the journal keeps IDs, which people do not know. */
function withNames(says: string): Text {
  const found =
    /(?<=^(?:Cancell?ed|Withdrawn|Denied|(?:Plan|Rollback|Undo) stopped) by )\w+|^\w+(?= (?:was first: this plan|has left the plan) )/.exec(
      says,
    );
  if (found === null) return recalled(says, () => false);
  const { 0: who, index } = found;
  return say`${says.slice(0, index)}${person(who)}${says.slice(index + who.length)}`;
}
