import type { AnyCommand } from '../../handlers/command.ts';
import { channel as channelSpan, code, person as personSpan, say } from '../../handlers/reply.ts';
import type { Action, Given } from '../../journal/journal.ts';
import type { SaidPart } from '../base/chat.ts';
import { isDelegated } from '../base/consent.ts';
import { siteRequestOf } from '../base/site-request.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Parts } from '../ground/ground.ts';
import { changeCard, needsInWords } from '../showing/card.ts';
import { askerInWords } from '../showing/site-request.ts';
import type { Fault } from '../wording/faults.ts';
import { heading, item, mostLooked, rest, type Section, seeCard, until, type Viewer } from './section.ts';

export interface RequestParts extends Parts {
  readonly confirmation: Pick<Confirmation, 'bar'>;
}

/** What waits for clicks in some channels, as it concerns one person. */
export interface WaitingRequests {
  /** They may approve and deny it, and have not approved it yet. */
  readonly toDecide: readonly Action[];
  readonly own: readonly Action[];
  /** It waits for others to approve it, and why not for them. */
  readonly ofOthers: readonly { readonly action: Action; readonly fault: Fault }[];
  readonly given: ReadonlyMap<string, readonly Given[]>;
  /** There is more than was looked at. */
  readonly isCut: boolean;
}

export async function waitingRequests(
  { journal, commandByPhrase, confirmation }: RequestParts,
  { person, channels }: Viewer,
): Promise<WaitingRequests> {
  const waiting = await journal.waitingIn(
    channels.map(({ id }) => id),
    mostLooked,
  );
  const asked = waiting.filter(({ consent }) => consent !== undefined);
  const given = new Map(
    await Promise.all(
      asked.map(async ({ id, token = '' }) => [id, await journal.approvalsOf(id, token)] as const),
    ),
  );
  const each = await Promise.all(asked.map(async (action) => ({ action, fault: await bar(action) })));
  return {
    toDecide: each.flatMap(({ action, fault }) => (fault === undefined ? [action] : [])),
    own: waiting.filter((action) => action.person === person),
    ofOthers: each.flatMap(({ action, fault }) =>
      fault === undefined || action.person === person ? [] : [{ action, fault }],
    ),
    given,
    isCut: waiting.length === mostLooked,
  };

  async function bar(action: Action): Promise<Fault | undefined> {
    const command = commandByPhrase.get(action.phrase ?? '');
    if (command === undefined) return { code: 'card_gone' };
    const fault = await confirmation.bar({ person }, action, command);
    const isGiven = given.get(action.id)?.some((one) => one.person === person) === true;
    return fault ?? (isGiven ? { code: 'approved_already', other: false } : undefined);
  }
}

/** What waits for somebody: for their yes, and what they have asked for themselves. */
export async function requestSections(parts: RequestParts, viewer: Viewer): Promise<readonly Section[]> {
  return sectionsOf(parts, await waitingRequests(parts, viewer));
}

/** `most`: so many of each have room. */
export function sectionsOf(
  { commandByPhrase }: Pick<RequestParts, 'commandByPhrase'>,
  { toDecide, own, given }: WaitingRequests,
  most = 8,
): readonly Section[] {
  return [
    ...section('Waiting for your approval', toDecide, most, decision, ({ id, request }) => [
      given.get(id)?.length,
      request,
    ]),
    // Those for sites have a list of their own, which whoever has joined one sees, too.
    ...section(
      'Your open requests',
      own.filter((action) => action.request === undefined),
      most,
      request,
    ),
  ];

  /**
   * What its card shows, and no less: one approves what one saw. What somebody may not see before they say so is shown to them alone,
   * when they press Approve (`confirmation.ts`).
   */
  function decision(action: Action): readonly SaidPart[] {
    const { id, token = '', line: about, channel } = action;
    const { headline, parts: shown } = changeCard(action, commandOf(action), { given: given.get(id) });
    const site = siteRequestOf(action)?.wishes[0].from;
    const who = site === undefined ? personSpan(action.person) : askerInWords(site);
    const asked = say`Asked by ${who} in ${channelSpan(channel)}${until(action)}${seeCard(action)}`;
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
    return action.consent === undefined ? confirmed(action) : withOthers(action);
  }

  function withOthers(action: Action): readonly SaidPart[] {
    const { token = '', line } = action;
    const needs = say`Waits for ${needsInWords(action)}${until(action)}${seeCard(action)}`;
    return [
      { kind: 'text', text: say`${code(line)}` },
      {
        kind: 'buttons',
        beside: needs,
        buttons: [{ press: 'cancel', label: 'Withdraw', about: line, token }],
      },
    ];
  }

  /** With all that its card shows: one confirms what one saw. */
  function confirmed(action: Action): readonly SaidPart[] {
    const { token = '', line: about } = action;
    const { headline, parts: shown, question } = changeCard(action, commandOf(action));
    const verb = question?.verb;
    return [
      ...item(headline, say`${code(about)} waits for your click${until(action)}${seeCard(action)}`),
      ...shown,
      {
        kind: 'buttons',
        buttons: [
          ...(verb === undefined
            ? []
            : [{ press: 'confirm', label: verb, about, token, style: 'primary' } as const]),
          { press: 'cancel', label: 'Cancel', about, token },
        ],
      },
    ];
  }

  function commandOf({ phrase = '' }: Action): AnyCommand | undefined {
    return commandByPhrase.get(phrase);
  }
}

function section(
  title: string,
  actions: readonly Action[],
  most: number,
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
