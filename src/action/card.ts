import type { AnyChange } from '../handlers/command.ts';
import { code, type Field, say, type Text } from '../handlers/reply.ts';
import type { Action } from '../journal/journal.ts';
import type { Button, Card, SaidPart } from './chat.ts';
import { appliancesOf, argsOf, type Shown, shownOf } from './stored.ts';

/** The card of a change in whatever state its action is: one builder, so a restart draws what stood there before. */
export function changeCard(
  action: Action,
  command: AnyChange | undefined,
  words: { readonly headline?: Text; readonly notice?: Text } = {},
  buttons: readonly Button[] = [],
): Card {
  const shown = shownOf(action);
  const fields: readonly SaidPart[] =
    shown === undefined || shown.fields.length === 0 || isOldNews(action)
      ? []
      : [{ kind: 'fields', fields: fieldsNow(action, shown.fields) }];
  return {
    kind: 'change',
    ...frame(action),
    headline: words.headline ?? headlineOf(action, command, shown),
    parts: [...fields, ...(buttons.length === 0 ? [] : [{ kind: 'buttons', buttons } as const])],
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

/** What could be put back ran without a question; how it was before is no news when it is done. */
const isOldNews = ({ effect, state }: Action): boolean => effect === 'write' && state === 'done';

/** What previews warn of by these names; when it is done, it is over. */
const warnings: ReadonlySet<string> = new Set(['Mind', 'Meanwhile', 'Cut meanwhile']);

/** The fields of a preview, as they read after the deed: "State up" would contradict "is down". */
function fieldsNow({ state }: Action, fields: readonly Field[]): readonly Field[] {
  if (state !== 'done') return fields;
  return fields
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
    channel: action.channel,
    card: action.card,
    state: action.state,
    asker: action.person,
    line: action.line,
    appliances: appliancesOf(action),
  };
}

function headlineOf(action: Action, command: AnyChange | undefined, shown: Shown | undefined): Text {
  if (action.outcome !== undefined) return say`${action.outcome.headline ?? action.outcome.says}`;
  if (action.state === 'waiting' && shown !== undefined) return shown.question;
  const [target, ...others] = shown?.targets ?? [];
  if (command === undefined || target === undefined) return say`${code(action.line)}`;
  const doing = command.doing(argsOf(target));
  return others.length === 0 ? say`${doing}…` : say`${doing} and ${others.length} more…`;
}
