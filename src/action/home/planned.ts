import { channel as channelSpan, code, moment, person as personSpan, say } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { SaidPart } from '../base/chat.ts';
import { appliancesActedOn, commandOf, lineNow, shownOf } from '../base/stored.ts';
import { barToCancel } from '../planned/cancel.ts';
import { withoutMark } from '../showing/card.ts';
import type { RequestParts } from './requests.ts';
import { heading, item, mostLooked, rest, type Section, seeCard, type Viewer } from './section.ts';

const most = 8;

/** What is planned in their channels, with Cancel where it is theirs to press. */
export async function plannedSections(
  parts: RequestParts,
  { person, channels }: Viewer,
): Promise<readonly Section[]> {
  const { journal, commandByPhrase, authority, confirmation } = parts;
  const looked = await journal.plannedIn(
    channels.map(({ id }) => id),
    mostLooked,
  );
  // What somebody has planned in a direct message is shown to those alone who may stop it.
  const seen = await Promise.all(
    looked.map(async (one) => one.direct === undefined || (await mayCancel(one))),
  );
  const all = looked.filter((_, index) => seen[index]);
  if (all.length === 0) return [];
  const shown = all.slice(0, most);
  return [
    {
      key: shown.map(({ id, token, runAt }) => [id, token, runAt]),
      parts: async () => [
        heading('Planned'),
        ...(await Promise.all(shown.map(drawn))).flat(),
        ...rest(all.length, most, say` ${code('/appliance planned')} lists those of a channel.`),
      ],
    },
  ];

  async function mayCancel(action: Action): Promise<boolean> {
    const command = commandOf(commandByPhrase, action);
    const approvals = confirmation;
    return (
      command !== undefined &&
      (await barToCancel({ authority, approvals }, { person }, action, command)) === undefined
    );
  }

  async function drawn(action: Action): Promise<readonly SaidPart[]> {
    const { token = '', runAt = 0, channel } = action;
    const line = lineNow(action);
    const what = shownOf(action)?.question ?? [code(line)];
    const by = say`${moment(runAt)} on ${appliancesActedOn(action).join(', ')}, planned by ${personSpan(action.person)} in ${channelSpan(channel)}${action.direct === undefined || action.person === person ? seeCard(action) : []}`;
    return [
      ...item(withoutMark(what), by, '📅 '),
      ...(!(await mayCancel(action))
        ? []
        : [
            {
              kind: 'buttons',
              buttons: [
                { press: 'cancel', label: 'Cancel', about: line, token },
                { press: 'reschedule', label: 'Change the time…', about: line, token },
              ],
            } as const,
          ]),
    ];
  }
}
