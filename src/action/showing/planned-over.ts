import {
  channel as channelSpan,
  code,
  enumerate,
  messageLink,
  person as personSpan,
  say,
  type Text,
} from '../../handlers/reply.ts';
import type { State } from '../../journal/actions/states.ts';
import type { Action, Journal, ToSend } from '../../journal/journal.ts';
import { lineNow } from '../base/stored.ts';
import { notifyPerson, tellBelow } from './messages.ts';

/** Who hears what became of something planned: whoever asked, and those who approved it. */
export async function concernedBy(
  { approvalsOf }: Pick<Journal, 'approvalsOf'>,
  { id, token, person, consent }: Action,
): Promise<readonly string[]> {
  const given = consent === undefined || token === undefined ? [] : await approvalsOf(id, token);
  return [...new Set([person, ...given.map((one) => one.person)])];
}

/** Nobody sits before it when its time comes: what became of it is said where they are called, and what went wrong in person, too. */
export async function plannedOver(
  journal: Pick<Journal, 'approvalsOf'>,
  action: Action,
  to: State,
  headline: Text,
): Promise<readonly ToSend[]> {
  const isOver = to === 'done' || to === 'failed' || to === 'unknown';
  if (action.runAt === undefined || action.step !== undefined || !isOver) return [];
  const people = await concernedBy(journal, action);
  const how = outcomes[to];
  const called = enumerate(people.map(personSpan));
  const said =
    to === 'done'
      ? say`${called}: Done as planned. ${headline}`
      : say`${called}: this was planned and ${how}: ${code(lineNow(action))}. ${headline}`;
  return [
    ...(action.card === undefined ? [] : tellBelow(action, { headline: said })),
    ...(to === 'done' ? [] : inPerson(action, people, how, headline)),
  ];
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
  done: 'was done',
  failed: 'failed',
  unknown: 'may have happened or not',
} as const;
