import type { AnyCommand, Subject } from '../handlers/command.ts';
import type { Part, Text } from '../handlers/reply.ts';
import { code, say } from '../handlers/reply.ts';
import type { Action } from '../journal/journal.ts';
import type { Card } from './chat.ts';
import { argsOf, type Shown, shownOf, subjectOf } from './stored.ts';

/** Whether what is there now is what the person was shown. */
export function isSameSubject(action: Action, now: Subject): boolean {
  const then = subjectOf(action);
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].every((key) => then[key] === now[key]);
}

/** The card of a change in whatever state its action is: one builder, so a restart draws what stood there before. */
export function changeCard(
  action: Action,
  command: Extract<AnyCommand, { kind: 'change' }> | undefined,
  words: { readonly headline?: Text; readonly notice?: Text } = {},
): Card {
  const shown = shownOf(action);
  return {
    kind: 'change',
    ...frame(action),
    headline: words.headline ?? headlineOf(action, command, shown),
    parts: shown === undefined ? [] : [{ kind: 'fields', fields: shown.fields }],
    notice: words.notice,
    question:
      action.state === 'waiting' &&
      action.token !== undefined &&
      action.expiresAt !== undefined &&
      command !== undefined
        ? { token: action.token, verb: command.verb, expiresAt: action.expiresAt }
        : undefined,
  };
}

/** The card of a lookup: its headline in the channel; the details go to the thread. */
export function lookupCard(action: Action, headline: Text, parts: readonly Part[] = []): Card {
  return { kind: 'lookup', ...frame(action), headline, parts };
}

function frame(action: Action) {
  return {
    action: action.id,
    channel: action.channel,
    card: action.card,
    state: action.state,
    asker: action.person,
    line: action.line,
    appliance: action.appliance,
  };
}

function headlineOf(
  action: Action,
  command: Extract<AnyCommand, { kind: 'change' }> | undefined,
  shown: Shown | undefined,
): Text {
  if (action.outcome !== undefined) return say`${action.outcome.says}`;
  if (action.state === 'waiting' && shown !== undefined) return shown.question;
  return command === undefined ? say`${code(action.line)}` : say`${command.doing(argsOf(action))}…`;
}
