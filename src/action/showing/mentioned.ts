import {
  channel as channelSpan,
  code,
  enumerate,
  messageLink,
  person as personSpan,
  say,
  type Text,
} from '../../handlers/reply.ts';
import { isLookedForAgain, type State } from '../../journal/actions/states.ts';
import type { Action, Journal, ToSend } from '../../journal/journal.ts';
import type { Authority } from '../authority/authority.ts';
import { lineNow } from '../base/stored.ts';
import { notifyPerson } from './messages.ts';

/** Who hears what became of something planned: whoever asked, and those who approved it. */
export async function concernedBy(
  { approvalsOf }: Pick<Journal, 'approvalsOf'>,
  { id, token, person, consent }: Action,
): Promise<readonly string[]> {
  const given = consent === undefined || token === undefined ? [] : await approvalsOf(id, token);
  return [...new Set([person, ...given.map((one) => one.person)])];
}

export interface MentionParts {
  readonly journal: Pick<Journal, 'approvalsOf'>;
  readonly authority: Pick<Authority, 'identify'>;
}

/** Who is mentioned when something is over. */
export interface OutcomeMention {
  readonly people: readonly string[];
  /** Stands before the outcome, and names them. */
  readonly opening: Text;
}

/**
 * Slack notifies nobody of an edited card. So the outcome of what others approved, and of what was planned, mentions those who wait for
 * it; not somebody who pressed the last button themselves. `action`: as it was before it ended.
 */
export async function mentionedAtEnd(
  parts: MentionParts,
  action: Action,
  to: State,
): Promise<OutcomeMention | undefined> {
  // A plan tells of its steps, and whoever ends what is still open mentions people there.
  if (action.step !== undefined || action.state === 'waiting' || action.state === 'planned') return undefined;
  if (action.runAt !== undefined) return mentionedOfPlanned(parts, action, to);
  if (to !== 'done' && to !== 'failed' && to !== 'unknown' && to !== 'cancelled') return undefined;
  return (await mentionedOfApproved(parts, action)) ?? mentionedOfLate(parts, action);
}

/** Nobody looks at a card for minutes: whoever asked hears when what was not visible at once has come to its end. */
async function mentionedOfLate(
  { authority }: MentionParts,
  action: Action,
): Promise<OutcomeMention | undefined> {
  const { person: asker, channel } = action;
  // Whoever asked for a site hears of it in person.
  if (action.request !== undefined) return undefined;
  if (!isLookedForAgain(action) || (await authority.identify(asker, channel)).kind === 'bot')
    return undefined;
  return { people: [asker], opening: say`${personSpan(asker)}:` };
}

async function mentionedOfPlanned(
  { journal }: MentionParts,
  action: Action,
  to: State,
): Promise<OutcomeMention | undefined> {
  if (to !== 'done' && to !== 'failed' && to !== 'unknown') return undefined;
  const people = await concernedBy(journal, action);
  const names = enumerate(people.map(personSpan));
  const opening =
    to === 'done'
      ? say`${names}: Done as planned.`
      : say`${names}: this was planned and ${outcomes[to]}: ${code(lineNow(action))}.`;
  return { people, opening };
}

/** Whoever asked, where somebody else has pressed the last Approve. */
export async function mentionedOfApproved(
  { journal, authority }: MentionParts,
  { id, token = '', channel, person: asker, consent, decidedBy, request }: Action,
): Promise<OutcomeMention | undefined> {
  if (consent === undefined || decidedBy === undefined || decidedBy === asker) return undefined;
  // Whoever asked for a site hears of it in person: they may not be in that channel.
  if (request !== undefined) return undefined;
  // A workflow asks in the bot's own name.
  if ((await authority.identify(asker, channel)).kind === 'bot') return undefined;
  const given = (await journal.approvalsOf(id, token)).map(({ person }) => person);
  const approvers = enumerate((given.length === 0 ? [decidedBy] : given).map(personSpan));
  return { people: [asker], opening: say`${personSpan(asker)}: Approved by ${approvers}.` };
}

/** What went wrong with something planned is told in person, too. */
export function plannedInPerson(
  action: Action,
  to: State,
  { people }: OutcomeMention,
  headline: Text,
): readonly ToSend[] {
  return action.runAt !== undefined && (to === 'failed' || to === 'unknown')
    ? inPerson(action, people, outcomes[to], headline)
    : [];
}

/** Whoever is asleep reads it where it stays. `how`: "did not run". */
export function inPerson(
  action: Action,
  people: readonly string[],
  how: string,
  why: Text,
): readonly ToSend[] {
  const { person: asker, channel, direct, card } = action;
  const place = direct === undefined ? say` in ${channelSpan(channel)}` : [];
  const where =
    card === undefined || direct !== undefined ? [] : say` ${messageLink('See its card.', channel, card)}`;
  return people
    .filter((one) => one !== asker || direct === undefined)
    .map((one) => {
      const did = one === asker ? 'planned' : 'approved';
      return notifyPerson(one, {
        headline: say`What you ${did}${place} ${how}: ${code(lineNow(action))}. ${why}${where}`,
      });
    });
}

const outcomes = {
  failed: 'failed',
  unknown: 'may have happened or not',
} as const;
