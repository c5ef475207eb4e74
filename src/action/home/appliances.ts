import type { Appliance } from '../../api/index.ts';
import { allowedIn } from '../../auth/targets.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { endOfMode } from '../../handlers/emergency/mode.ts';
import { channel as channelSpan, code, person as personSpan, say, strong } from '../../handlers/reply.ts';
import { status } from '../../handlers/status/status.commands.ts';
import type { TimedChangeRow } from '../../journal/journal.ts';
import type { SaidPart } from '../base/chat.ts';
import { changeOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { timedName } from '../showing/timed-card.ts';
import { timedHeadline, timedOffers } from '../wording/timed.ts';
import type { HealthLine } from './health.ts';
import { buttonsFor, heading, item, onFor, rest, type Section, type Viewer } from './section.ts';

/** What is on for a time, with its clock: the first thing that anybody sees. */
export async function timedSections(parts: Parts, viewer: Viewer): Promise<readonly Section[]> {
  const { journal, authority, commandByPhrase, now } = parts;
  const { person } = viewer;
  const live = await onFor(parts, viewer);
  return live.map((one) => ({
    key: [one.id, one.state, one.endsAt, one.tries],
    parts: () => drawn(one),
  }));

  async function drawn(one: TimedChangeRow): Promise<readonly SaidPart[]> {
    const action = await journal.byId(one.action);
    if (action === undefined) return [];
    const named = timedName(action, changeOf(commandByPhrase, action), one);
    const { channel, person: asker, reason } = one;
    const may = await authority.suggests(person, channel);
    const endedBy =
      named.kind === 'mode'
        ? [...commandByPhrase.values()].find((command) => nameOf(command) === named.end)
        : commandByPhrase.get(action.phrase ?? '');
    const isTheirs = endedBy !== undefined && may(endedBy);
    const offers = isTheirs ? timedOffers(named, one, false, now()) : [];
    const buttons = await buttonsFor(parts, offers, { channel, person });
    return [
      ...item(
        timedHeadline(named, [one], [], true, now()),
        say`Requested by ${personSpan(asker)} in ${channelSpan(channel)}${reason === '' ? '' : `: ${reason}`}`,
        named.kind === 'mode' ? '🚨 ' : '⏳ ',
      ),
      { kind: 'buttons', buttons },
    ];
  }
}

const most = 12;

/** The appliances of their channels whose status they may ask, in one line each. */
export async function applianceSections(
  parts: Parts & { readonly health: HealthLine },
  viewer: Viewer,
): Promise<readonly Section[]> {
  const appliances = await askable(parts, viewer);
  if (appliances.length === 0) return [];
  const told = await onFor(parts, viewer);
  const lines = await Promise.all(
    appliances.slice(0, most).map(async (one) => {
      const isTold = told.some(({ appliance, subject }) => appliance === one.name && subject === endOfMode);
      return say`${strong(one.name)}: ${await parts.health(one, isTold ? 'emergency' : 'nothing')}`;
    }),
  );
  const all = say` ${code('/appliance status --on all')} tells of all.`;
  return [
    {
      key: lines,
      parts: async () => [
        heading('Appliances'),
        { kind: 'list', items: lines },
        ...rest(appliances.length, most, all),
      ],
    },
  ];
}

async function askable(
  { authority, appliances, fleet }: Parts,
  { person, channels }: Viewer,
): Promise<readonly Appliance[]> {
  const found = new Map<string, Appliance>();
  for (const { id: channel } of channels) {
    const here = authority.channel(channel);
    const decide = await authority.decideEach({ person, channel, command: status, access: 'run' });
    for (const name of here === undefined ? [] : allowedIn(here, fleet, channel)) {
      const appliance = appliances.get(name);
      const wanted = { args: {}, appliances: [name], lasts: 'forGood' } as const;
      const decision = decide(wanted);
      const isFree =
        decision.allow &&
        authority.approvalFor({ command: status, ...wanted }, decision.by).kind === 'not_needed';
      if (isFree && appliance !== undefined) found.set(name, appliance);
    }
  }
  return [...found.values()];
}
