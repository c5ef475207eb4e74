import { channel as channelSpan, code, person as personSpan, say, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { SaidPart } from '../base/chat.ts';
import { shownOf } from '../base/stored.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Parts } from '../ground/ground.ts';
import { headlineOf, isWithheld } from '../showing/card.ts';
import { heading, item, mostLooked, rest, type Section, seeCard, until, type Viewer } from './section.ts';

export interface RequestParts extends Parts {
  readonly confirmation: Pick<Confirmation, 'bar'>;
}

const most = 8;

/** What waits for somebody: for their yes, and what they have asked for themselves. */
export async function requestSections(parts: RequestParts, viewer: Viewer): Promise<readonly Section[]> {
  const { journal, commandByPhrase, confirmation } = parts;
  const { person } = viewer;
  const channels = viewer.channels.map(({ id }) => id);
  const waiting = await journal.waitingIn(channels, mostLooked);
  const isTheirs = await Promise.all(waiting.map(mayDecide));
  const toDecide = waiting.filter((_, index) => isTheirs[index]);
  const own = waiting.filter((action) => action.person === person);
  return [
    ...section('Waiting for your approval', toDecide, decision),
    ...section('Your open requests', own, request),
  ];

  async function mayDecide(action: Action): Promise<boolean> {
    const command = commandByPhrase.get(action.phrase ?? '');
    if (command === undefined || action.consent === undefined) return false;
    return (await confirmation.bar({ person }, action, command)) === undefined;
  }

  function decision(action: Action): readonly SaidPart[] {
    const { token = '', line: about, channel } = action;
    const asked = say`Asked by ${personSpan(action.person)} in ${channelSpan(channel)}${until(action)}${seeCard(action)}`;
    return [
      ...item(questionOf(action), asked),
      {
        kind: 'buttons',
        buttons: [
          { press: 'approve', label: 'Approve', about, token, style: 'primary' },
          { press: 'deny', label: 'Deny…', about, token },
        ],
      },
    ];
  }

  /** What they may not see before they say so is shown to them alone, when they press Approve (`click.ts`). */
  function questionOf(action: Action): Text {
    const command = commandByPhrase.get(action.phrase ?? '');
    const shown = isWithheld(action, command) ? undefined : shownOf(action);
    return shown === undefined ? say`${code(action.line)}?` : headlineOf(action, command, shown);
  }

  function request(action: Action): readonly SaidPart[] {
    const { token = '', line, consent } = action;
    const [state, label] =
      consent === undefined
        ? ['Waits for your click on its card', 'Cancel']
        : ['Waits for the approval of others', 'Withdraw'];
    return [
      ...item(say`${code(line)}`, say`${state}${until(action)}${seeCard(action)}`),
      { kind: 'buttons', buttons: [{ press: 'cancel', label, about: line, token }] },
    ];
  }
}

function section(
  title: string,
  actions: readonly Action[],
  drawn: (action: Action) => readonly SaidPart[],
): readonly Section[] {
  if (actions.length === 0) return [];
  return [
    {
      key: [title, ...actions.map(({ id, token }) => [id, token])],
      parts: async () => [
        heading(title),
        ...actions.slice(0, most).flatMap(drawn),
        ...rest(actions.length, most),
      ],
    },
  ];
}
