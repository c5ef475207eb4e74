import { everyone } from '../../auth/policy.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { startInWords } from '../../handlers/planned/words.ts';
import {
  clock,
  code,
  enumerate,
  type Field,
  group,
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
import { consentOf, isConsentReadable, isDelegated, type Need } from '../base/consent.ts';
import { siteRequestOf } from '../base/site-request.ts';
import { appliancesOf, isOrder, lineNow, type Shown, shownOf, type Target } from '../base/stored.ts';
import { linesAsked } from './plans/plan-lines.ts';
import { doingOnAll, notSaidIn } from './previews.ts';
import { siteFields, siteQuestion } from './site-request.ts';

/** What a card shows beside its action. */
interface CardContent {
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
  const site = siteRequestOf(action);
  const evidence = (isOver ? action.outcome?.undone : action.outcome?.evidence) ?? [];
  const title = named(action, command, shown, headline ?? headlineOf(action, command, shown));
  const isInEvidence = ({ value }: Field) => evidence.some((line) => line.includes(plainText(value)));
  /** What was left alone, where the card does not say so already. */
  const isUnsaid = (field: Field) => isSkipped(field) && !isInEvidence(field);
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
        : fieldsNow(action, shown.fields, title).filter(
            (field) => !(isSkipped(field) || foretold.has(field.name)) || !isInEvidence(field),
          )),
    ...(site === undefined ? [] : siteFields(site, action)),
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
  lines.map((line) => ({ kind: 'text', text: recalled(line) }));

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
 * shown it alone (`confirmation.ts`).
 */
export const isWithheld = (action: Action, command: AnyCommand | undefined): boolean =>
  // Nobody knows whose it is to see then.
  !isConsentReadable(action) ||
  (command !== undefined &&
    isDelegated(action) &&
    // The policy says in which channel requests for sites are decided, and that channel is shown what was found.
    action.request === undefined &&
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

/** Previews foretell the result by these names; a result that was read back and agrees is said once. */
const foretold: ReadonlySet<string> = new Set(['Afterwards']);

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
  const { outcome } = action;
  if (outcome !== undefined) return recalled(outcome.headline ?? outcome.says, outcome.named);
  const site = siteRequestOf(action);
  if (action.state === 'waiting' && site !== undefined) return siteQuestion(site, action.changedAt);
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

/** Whose yes it waits for, and who has said yes. */
function consentFields(action: Action, given: readonly Given[]): readonly Field[] {
  const consent = consentOf(action);
  if (consent === undefined || !isConsentReadable(action)) return [];
  const { reason } = consent;
  const approved = enumerate(given.map(({ person: id, at }) => say`${person(id)} at ${clock(at)}`));
  const isOpen = action.state === 'waiting';
  const isForSite = action.request !== undefined;
  const asker = say`${person(action.person)}${isDelegated(action) ? ', who can’t run it without approval' : ''}`;
  return [
    // A request for a site says itself who asks for it, and why.
    ...(isOpen && !isForSite ? [{ name: 'Asked by', value: asker }] : []),
    // A command that asks for a reason itself shows it with the rest.
    ...(reason === null || isForSite || shownOf(action)?.fields.some(({ name }) => name === 'Reason')
      ? []
      : [{ name: 'Reason', value: say`${reason}` }]),
    ...(isOpen ? [{ name: 'Needs', value: needsInWords(action) }] : []),
    ...(given.length === 0 ? [] : [{ name: 'Approved by', value: approved }]),
  ];
}

/** *1 approval by approver (@carol)*, of what waits for others. */
export const needsInWords = (action: Action): Text =>
  enumerate((consentOf(action)?.needs ?? []).filter(isNews).map(needInWords));

/** What meets one need of the same people meets a smaller one, too: a role that is lent, and whose approval is wanted. */
const isNews = (need: Need, at: number, needs: readonly Need[]): boolean =>
  !needs.some(
    ({ by, count }, other) =>
      by.join() === need.by.join() && (count > need.count || (count === need.count && other < at)),
  );

/** *2 approvals by approver (@carol, @dave or @erin)*, so that they are called. */
function needInWords({ by, count, holders }: Need): Text {
  const called = holders.filter((id) => id !== everyone);
  const named = called.slice(0, mostCalled).map((id) => (id.startsWith('S') ? group(id) : person(id)));
  const more = called.length - named.length;
  const all = more > 0 ? [...named, say`${more} more`] : named;
  const who = all.length === 0 ? [] : say` (${enumerate(all, 'or')})`;
  return say`${plural(count, 'approval')} by ${enumerate(by.map(strong), 'or')}${who}`;
}

/** More names would call people of whom one is enough. */
const mostCalled = 5;
