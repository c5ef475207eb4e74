import { channel as channelSpan, code, person as personSpan, say } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { SaidPart } from '../base/chat.ts';
import { isDelegated } from '../base/consent.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Parts } from '../ground/ground.ts';
import { changeCard } from '../showing/card.ts';
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
  const given = new Map(
    await Promise.all(
      toDecide
        .slice(0, most)
        .map(async ({ id, token = '' }) => [id, await journal.approvalsOf(id, token)] as const),
    ),
  );
  const own = waiting.filter((action) => action.person === person);
  return [
    ...section('Waiting for your approval', toDecide, decision, ({ id }) => given.get(id)?.length),
    ...section('Your open requests', own, request),
  ];

  async function mayDecide(action: Action): Promise<boolean> {
    const command = commandByPhrase.get(action.phrase ?? '');
    if (command === undefined || action.consent === undefined) return false;
    return (await confirmation.bar({ person }, action, command)) === undefined;
  }

  /**
   * What its card shows, and no less: one approves what one saw. What somebody may not see before they say so is shown to them alone,
   * when they press Approve (`click.ts`).
   */
  function decision(action: Action): readonly SaidPart[] {
    const { id, token = '', line: about, channel } = action;
    const command = commandByPhrase.get(action.phrase ?? '');
    const { headline, parts: shown } = changeCard(action, command, { given: given.get(id) });
    const asked = say`Asked by ${personSpan(action.person)} in ${channelSpan(channel)}${until(action)}${seeCard(action)}`;
    return [
      ...item(headline, asked),
      ...shown.map((part) => withoutAsker(part, action)),
      {
        kind: 'buttons',
        buttons: [
          { press: 'approve', label: 'Approve', about, token, style: 'primary' },
          { press: 'deny', label: 'Deny…', about, token },
        ],
      },
    ];
  }

  function request(action: Action): readonly SaidPart[] {
    const { token = '', line, consent } = action;
    const [state, label] =
      consent === undefined
        ? ['Waits for your click on its card', 'Cancel']
        : ['Waits for the approval of others', 'Withdraw'];
    return [
      { kind: 'text', text: say`${code(line)}` },
      {
        ...{ kind: 'buttons', beside: say`${state}${until(action)}${seeCard(action)}` },
        buttons: [{ press: 'cancel', label, about: line, token }],
      },
    ];
  }
}

function section(
  title: string,
  actions: readonly Action[],
  drawn: (action: Action) => readonly SaidPart[],
  more: (action: Action) => unknown = () => undefined,
): readonly Section[] {
  if (actions.length === 0) return [];
  return [
    {
      key: [title, ...actions.map((action) => [action.id, action.token, more(action)])],
      parts: async () => [
        heading(title),
        ...actions.slice(0, most).flatMap(drawn),
        ...rest(actions.length, most),
      ],
    },
  ];
}

/** The sentence above says who asks; that they may not run it themselves it does not. */
function withoutAsker(part: SaidPart, action: Action): SaidPart {
  if (part.kind !== 'fields' || isDelegated(action)) return part;
  return { ...part, fields: part.fields.filter(({ name }) => name !== 'Asked by') };
}
