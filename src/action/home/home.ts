import type { Appliance } from '../../api/index.ts';
import { allowedIn } from '../../auth/targets.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { endOfMode } from '../../handlers/emergency/mode.ts';
import { topics } from '../../handlers/help/topics.ts';
import { planned } from '../../handlers/planned/planned.commands.ts';
import {
  channel as channelSpan,
  code,
  moment,
  person as personSpan,
  plainText,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { status } from '../../handlers/status/status.commands.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import type { Button, Said, SaidPart } from '../base/chat.ts';
import { appliancesActedOn, changeOf, commandOf, lineNow, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { endingOf } from '../history/end-record.ts';
import { isTakenBack, openUndosOf } from '../history/left-to-undo.ts';
import { barToCancel } from '../planned/cancel.ts';
import { headlineOf, withoutMark } from '../showing/card.ts';
import type { UndoOffer } from '../showing/kept-offer.ts';
import { timedName } from '../showing/timed-card.ts';
import { timedHeadline, timedOffers } from '../wording/timed.ts';
import type { HealthLine } from './health.ts';
import { type RequestParts, requestSections } from './requests.ts';
import {
  buttonsFor,
  heading,
  item,
  mayList,
  mostLooked,
  onFor,
  rest,
  type Section,
  seeCard,
  type Viewer,
} from './section.ts';
import { siteSections } from './sites.ts';

/** A person's own page, made for whoever looks: what is on, what waits for them, how things are, what they did and can do. */
export interface HomePage {
  /** Where two are the same, so is what is seen. */
  readonly key: string;
  /** Keeps what its buttons stand for. */
  readonly said: () => Promise<Said>;
}

interface HomeParts extends RequestParts {
  readonly commands: readonly AnyCommand[];
  readonly health: HealthLine;
}

export async function homePage(parts: HomeParts, person: string): Promise<HomePage> {
  const found = await channelsWithRole(parts, person);
  if (found === 'lookup_failed') return { key: 'unread', said: async () => channelsUnread };
  const { channels, isUnread } = found;
  if (channels.length === 0) {
    // Whoever has no role may have asked for a site.
    const sites = await siteSections(parts, person);
    const { headline } = isUnread ? { headline: rolesUnread } : nowhere;
    return {
      key: JSON.stringify([isUnread ? 'roles unread' : 'nowhere', ...sites.map(({ key }) => key)]),
      said: async () => ({ headline, details: await drawnOf(sites) }),
    };
  }
  const viewer = { person, channels };
  const [timed, ...sections] = await Promise.all([
    timedSections(parts, viewer),
    requestSections(parts, viewer),
    siteSections(parts, person),
    plannedSections(parts, viewer),
    applianceSections(parts, viewer),
    latelySections(parts, viewer),
    commandSections(parts, viewer),
  ]);
  const shown = sections.flat();
  return {
    key: JSON.stringify([isUnread, ...[...timed, ...shown].map(({ key }) => key)]),
    said: async () => {
      const [on, rest] = await Promise.all([timed, shown].map(drawnOf));
      const drawn = [...(on ?? []), ...(rest ?? [])];
      return {
        headline: say`Hello ${personSpan(person)}. Type a command under ${strong('Messages')}, or ${code('/appliance')} in a channel.`,
        details: [
          // What is on comes before anything that somebody could do.
          ...(on ?? []),
          ...(isUnread ? [{ kind: 'text', text: rolesUnread } as const] : []),
          { kind: 'buttons', buttons: [{ ...runOne, ...(!isUrgent(drawn) && primary) }] },
          ...(rest ?? []),
        ],
      };
    },
  };
}

const drawnOf = async (sections: readonly Section[]): Promise<readonly SaidPart[]> =>
  (await Promise.all(sections.map((section) => section.parts()))).flat();

/** Those of their channels in which they have a role. `isUnread`: in others they might, if Slack told which groups they are in. */
export async function channelsWithRole(
  parts: Pick<HomeParts, 'authority' | 'ownChannels'>,
  person: string,
): Promise<{ readonly channels: Viewer['channels']; readonly isUnread: boolean } | 'lookup_failed'> {
  const own = await parts.ownChannels.of(person);
  if (own === 'lookup_failed') return own;
  const standing = await Promise.all(own.map(({ id }) => standingIn(parts, person, id)));
  return {
    channels: own.filter((_, index) => standing[index] === 'has a role'),
    isUnread: standing.includes('unread'),
  };
}

/** Whether they have a role there, or might if Slack told who they are and which groups they are in. */
async function standingIn(
  { authority }: Pick<HomeParts, 'authority'>,
  person: string,
  channel: string,
): Promise<'has a role' | 'unread' | 'none'> {
  if ((await authority.rolesOf(person, channel)).length > 0) return 'has a role';
  const who = await authority.identify(person, channel);
  const roles = Object.keys(authority.channel(channel)?.roles ?? {});
  return who.kind === 'lookup_failed' || authority.mayHoldOne(who, roles, channel) ? 'unread' : 'none';
}

/** One button of a page is the one to press: where something is on or waits for somebody, it is that one's. */
const primary = { style: 'primary' } as const;
const isUrgent = (parts: readonly SaidPart[]): boolean =>
  parts.some((part) => part.kind === 'buttons' && part.buttons.some(({ style }) => style !== undefined));

/** It stands for nothing that is kept: whoever presses it is asked for the channel. */
const runOne: Button = { press: 'build', label: 'Run a command', token: 'home' };

const channelsUnread: Said = {
  headline: say`Couldn’t read from Slack which channels you are in, so there is nothing to show here. Open this page again in a minute.`,
};

const rolesUnread = say`Couldn’t read from Slack which user groups you are in, so something may be missing here. Open this page again in a minute.`;

const nowhere: Said = {
  headline: say`You have no role in any channel that you are in. Join a channel where Appliance Bot is enabled, and ask an admin for a role there.`,
};

/** So many of each are shown; a line tells how many more there are. */
const most = { planned: 8, appliances: 12 };

/** What is planned in their channels, with Cancel where it is theirs to press. */
async function plannedSections(parts: RequestParts, viewer: Viewer): Promise<readonly Section[]> {
  const { person, channels } = viewer;
  const { journal, commandByPhrase, authority, confirmation } = parts;
  const may = await mayList(parts, viewer, planned);
  const looked = await journal.plannedIn(
    channels.map(({ id }) => id),
    mostLooked,
  );
  // Others see it as `planned` lists it. What somebody has planned in a direct message is shown to those alone who may stop it.
  const seen = await Promise.all(
    looked.map(
      async (one) =>
        one.person === person ||
        (one.direct === undefined && may(one.channel, appliancesActedOn(one))) ||
        (await mayCancel(one)),
    ),
  );
  const all = looked.filter((_, index) => seen[index]);
  if (all.length === 0) return [];
  const shown = all.slice(0, most.planned);
  return [
    {
      key: shown.map(({ id, token, runAt }) => [id, token, runAt]),
      parts: async () => [
        heading('Planned'),
        ...(await Promise.all(shown.map(drawn))).flat(),
        ...rest(all.length, most.planned, say` ${code('/appliance planned')} lists those of a channel.`),
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

/** What is on for a time, with its clock: the first thing that anybody sees. */
async function timedSections(parts: Parts, viewer: Viewer): Promise<readonly Section[]> {
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

/** The appliances of their channels whose status they may ask, in one line each. */
async function applianceSections(
  parts: Parts & { readonly health: HealthLine },
  viewer: Viewer,
): Promise<readonly Section[]> {
  const appliances = await askable(parts, viewer);
  if (appliances.length === 0) return [];
  const told = await onFor(parts, viewer);
  const lines = await Promise.all(
    appliances.slice(0, most.appliances).map(async (one) => {
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
        ...rest(appliances.length, most.appliances, all),
      ],
    },
  ];
}

async function askable(parts: Parts, viewer: Viewer): Promise<readonly Appliance[]> {
  const { authority, appliances, fleet } = parts;
  const may = await mayList(parts, viewer, status);
  const names = viewer.channels.flatMap(({ id: channel }) => {
    const here = authority.channel(channel);
    return here === undefined ? [] : allowedIn(here, fleet, channel).filter((name) => may(channel, [name]));
  });
  return [...new Set(names)].flatMap((name) => appliances.get(name) ?? []);
}

/** How far back, in milliseconds, and how much of it. */
const lately = { within: 12 * 60 * 60_000, most: 8 };
const habits = { within: 30 * 24 * 60 * 60_000, most: 10 };

const marks: Readonly<Partial<Record<Action['state'], string>>> = { done: '✅', failed: '❌', unknown: '❓' };

interface Told {
  readonly action: Action;
  readonly undos: readonly UndoOffer[];
  /** How what was for a time ends, or has ended. */
  readonly ends: Text | undefined;
  /** All of it was taken back. */
  readonly isUndone: boolean;
}

/** What they did lately, with Undo where it can be undone. */
async function latelySections(parts: Parts, viewer: Viewer): Promise<readonly Section[]> {
  const { journal, commandByPhrase, now } = parts;
  const { person, channels } = viewer;
  const on = new Set((await onFor(parts, viewer)).map(({ action }) => action));
  const asked = (await journal.askedBy(person, now() - lately.within, mostLooked)).filter(
    ({ id: action, channel, state, effect, interaction }) =>
      channels.some(({ id }) => id === channel) &&
      interaction === undefined &&
      !on.has(action) &&
      effect !== undefined &&
      marks[state] !== undefined,
  );
  if (asked.length === 0) return [];
  const told = await Promise.all(
    asked.slice(0, lately.most).map(async (action): Promise<Told> => {
      if (action.effect === 'read') return { action, undos: [], ends: undefined, isUndone: false };
      const [undos, ends, isUndone] = await Promise.all([
        openUndosOf(parts, action),
        endingOf(journal, action, now()),
        isTakenBack(parts, action),
      ]);
      return { action, undos, ends, isUndone };
    }),
  );
  return [
    {
      key: told.map(({ action, undos, ends, isUndone }) => [
        ...[action.id, action.state, undos.length, isUndone],
        ends && plainText(ends),
      ]),
      parts: async () => [
        heading('What you did lately'),
        ...told.flatMap(drawn),
        ...rest(asked.length, lately.most),
      ],
    },
  ];

  function drawn({ action, undos, ends, isUndone }: Told): readonly SaidPart[] {
    // An answer is old by now, and is asked for again.
    const what =
      action.effect === 'read'
        ? say`${code(action.line)}`
        : headlineOf(action, commandByPhrase.get(action.phrase ?? ''));
    const mark = isUndone ? '⚪ Undone:' : marks[action.state];
    const ended = ends === undefined ? [] : say`; ${ends}`;
    const text = say`${mark ?? ''} ${what}, ${moment(action.createdAt)}${ended}${seeCard(action)}`;
    const buttons = undos.map(
      ({ token, where }): Button => ({
        press: 'offer',
        label: where === undefined ? 'Undo' : `Undo on ${where}`,
        about: action.line,
        token,
      }),
    );
    const [only, ...others] = buttons;
    if (only === undefined) return [{ kind: 'text', text }];
    if (others.length === 0) return [{ kind: 'buttons', beside: text, buttons }];
    return [
      { kind: 'text', text },
      ...undos.map(
        ({ where = '' }, index): SaidPart => ({
          kind: 'buttons',
          beside: say`on ${strong(where)}`,
          buttons: buttons.slice(index, index + 1),
        }),
      ),
    ];
  }
}

/** The commands that they run most, and after these what people come for; each button opens the form of one. */
async function commandSections(
  parts: Parts & { readonly commands: readonly AnyCommand[] },
  { person, channels }: Viewer,
): Promise<readonly Section[]> {
  const { journal, authority, commandByPhrase, commands, now } = parts;
  const may = new Map(
    await Promise.all(channels.map(async ({ id }) => [id, await authority.suggests(person, id)] as const)),
  );
  const used = await journal.usedBy(person, now() - habits.within, mostLooked);
  const usual = commands
    .filter(({ kind }) => kind !== 'info')
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .flatMap(({ phrase }) => channels.map(({ id }) => ({ phrase, channel: id })));
  const runnable = [...used, ...usual].flatMap(({ phrase, channel }) => {
    const command = commandByPhrase.get(phrase);
    return command !== undefined && may.get(channel)?.(command) ? [{ command, channel }] : [];
  });
  const chosen = [...Map.groupBy(runnable, ({ command }) => command.phrase).values()];
  const shown = chosen.flatMap(([one]) => one ?? []).slice(0, habits.most);
  if (shown.length === 0) return [];
  const isOneChannel = shown.every(({ channel }) => channel === shown[0]?.channel);
  const nameIn = (channel: string) => channels.find(({ id }) => id === channel)?.name ?? '';
  return [
    {
      key: shown.map(({ command, channel }) => [command.phrase, channel]),
      parts: async () => {
        const each = shown.map(({ command, channel }) => {
          const where = isOneChannel ? '' : ` in #${nameIn(channel)}`;
          const line = nameOf(command);
          const form = { phrase: command.phrase, typed: {} };
          return buttonsFor(parts, [{ label: `${line}${where}`, line, form }], { channel, person });
        });
        return [heading('Your commands'), { kind: 'buttons', buttons: (await Promise.all(each)).flat() }];
      },
    },
  ];
}

/** What people come for stands before the rest. */
const comeFor = topics.flatMap(({ first }) => first);
function rankOf(command: AnyCommand): number {
  const rank = comeFor.indexOf(nameOf(command));
  return rank === -1 ? comeFor.length : rank;
}
