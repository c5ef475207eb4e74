import {
  type Approval,
  approvalFor,
  hardest,
  holdersOfAny,
  holdsOne,
  type PlannedFor,
} from '../../auth/approval.ts';
import { type Frozen, frozenAt } from '../../auth/calendar/freeze.ts';
import {
  allOf,
  allows,
  atBest,
  type Capable,
  channelIn,
  type Decision,
  type Denial,
  decide,
  groupsIn,
  heldRoles,
  limitsOfRole,
  rolesFor,
} from '../../auth/decide.ts';
import type { Members } from '../../auth/members.ts';
import {
  type ChannelPolicy,
  everyone,
  type Holders,
  type Policy,
  type PolicyInForce,
  type RoleName,
} from '../../auth/policy.ts';
import {
  type Access,
  type Arguments,
  type AskedOf,
  type ChannelSharing,
  type Identity,
  type Lasts,
  mayChange,
  type RequestedCommand,
  type Where,
} from '../../auth/request.ts';
import type { Rule, Vocabulary } from '../../auth/rule.ts';
import { allowedIn, applianceIn, type Fleet } from '../../auth/targets.ts';
import { type TicketNeed, ticketNeedFor } from '../../auth/ticket.ts';
import { type Argument, isCalled } from '../../handlers/argument.ts';
import type { AnyCommand, Guide } from '../../handlers/command.ts';
import { areaOf, nameOf } from '../../handlers/command-name.ts';
import { code, say, type Text } from '../../handlers/reply.ts';
import { type CapablePeople, capitalized, type PersonOrPlace, standingInWords } from '../wording/denials.ts';
import type { Fault } from '../wording/faults.ts';
import type { MayRun } from '../wording/misread/not-understood.ts';

/**
 * Somebody who wants something: the one question by which everything is allowed or refused, in the terms of the chat and
 * of the commands. No part of it can be left out.
 */
interface AccessRequest extends AskedFor {
  readonly person: string;
  readonly channel: string;
  readonly access: Access;
}

/** What is asked for, with what and of which appliances. */
export interface AskedFor {
  readonly command: AnyCommand;
  /** As the appliance knows them. `any` while they are not known: then it is whether there are some with which it is allowed. */
  readonly args: Arguments | 'any';
  readonly appliances: Appliances;
  readonly lasts: Lasts;
  /** When it is to run, where that is not now: the hours of that moment count. */
  readonly planned?: PlannedFor | undefined;
  /** What is asked for together with it: the other lines of a plan. */
  readonly beside?: readonly AskedFor[] | undefined;
}

/** What differs from one row of a list to the next. */
type Wanted = Pick<AccessRequest, 'args' | 'appliances' | 'lasts' | 'beside'>;

/** By their names, each of which must be allowed; or what is said of all at once (`AskedOf`). */
export type Appliances = readonly string[] | Exclude<AskedOf, object>;

/** A command with any arguments, on any appliance, for any time. */
export const anyhow = { args: 'any', appliances: 'any', lasts: 'any' } as const;

/** Who may do what: the pure decisions, fed with who people are. */
export interface Authority {
  /** The policy as it is now. */
  readonly policy: () => Policy;
  readonly channel: (id: string) => ChannelPolicy | undefined;
  readonly identify: (person: string, channel: string) => Promise<Identity>;
  /** The one door: whatever somebody does, sees, is offered or takes away has passed it. */
  readonly decide: (request: AccessRequest) => Promise<Decision>;
  /** The same for many things at once, such as the rows of a list: who asks is looked up once. */
  readonly decideEach: (asker: Omit<AccessRequest, keyof Wanted>) => Promise<(wanted: Wanted) => Decision>;
  /** Whether people of another organisation are in a channel. */
  readonly placeOf: (channel: string) => Promise<ChannelSharing>;
  /** Whether nobody may run it there, because people of another organisation read along. */
  readonly isShut: (command: AnyCommand, channel: string) => Promise<boolean>;
  /** The roles that may run it there, with who holds each. */
  readonly rolesFor: (asked: AskedFor, channel: string) => readonly Capable[];
  /** With which arguments alone, and on which appliances, a role may run it; none where it may anyhow. */
  readonly limitsOf: (command: AnyCommand, role: RoleName) => readonly Rule[];
  /** Whether it needs somebody else's yes at this moment, asked by somebody whom these roles allow it. */
  readonly approvalFor: (asked: AskedFor, by: readonly RoleName[]) => Approval;
  /** Whether it needs a ticket, asked for there. */
  readonly ticketFor: (asked: AskedFor, channel: string) => TicketNeed;
  /** Why it may not run at its time, asked by somebody who holds these roles, where changes are frozen then. */
  readonly freezeFor: (asked: AskedFor, held: readonly RoleName[]) => Frozen | undefined;
  /** The roles that somebody holds there now. A lookup that fails finds none. */
  readonly rolesOf: (person: string, channel: string) => Promise<readonly RoleName[]>;
  /** Whether this person holds one of these roles there now. A lookup that fails says no. */
  readonly holdsOne: (person: string, roles: readonly RoleName[], channel: string) => Promise<boolean>;
  /** Whether somebody would, if they were in all the groups that could not be read. */
  readonly mayHoldOne: (who: Identity, roles: readonly RoleName[], channel: string) => boolean;
  /** Who holds one of these roles there, user groups not opened. */
  readonly holders: (roles: readonly RoleName[], channel: string) => readonly string[];
  /** The same, as far as they can be asked to decide: no bot approves anything. */
  readonly approvers: (roles: readonly RoleName[], channel: string) => Promise<readonly string[]>;
  /** The channels in which somebody holds one of these roles. */
  readonly channelsWith: (roles: readonly RoleName[]) => readonly string[];
  /** Who holds one of these roles there, with user groups opened. Whom it would be endless to name is everyone. */
  readonly people: (roles: readonly RoleName[], channel: string) => Promise<CapablePeople['people']>;
  /** Which commands somebody may run there with some arguments on some appliance, to be named or offered. */
  readonly suggests: (person: string, channel: string) => Promise<MayRun>;
  /** What help and whoami show: the same decision for every command, taken as a dry run. */
  readonly guide: (commands: readonly AnyCommand[], person: string, channel: string) => Promise<Guide>;
  /** A denial as a fault, with the people who could do it instead. */
  readonly fault: (denial: Denial, channel: string) => Promise<Extract<Fault, { code: 'denied' }>>;
}

export function createAuthority(
  { current }: PolicyInForce,
  members: Members,
  fleet: Fleet,
  now: () => number,
  all: Iterable<AnyCommand>,
): Authority {
  const commands = [...all];
  const along = decidedWith(commands);
  const ends = new Set(
    commands.flatMap((one) => (one.kind === 'change' && one.timed ? [one.timed.end] : [])),
  );
  const channelPolicy = (id: string) => {
    const { channels } = current();
    return Object.hasOwn(channels, id) ? channels[id] : undefined;
  };
  const identify: Authority['identify'] = (id, channel) => members.identify(id, groupsIn(channel, current()));

  async function open(holders: Holders): Promise<CapablePeople['people']> {
    return holders.has(everyone) ? everyone : members.openGroups(await members.withoutBots([...holders]));
  }

  function subjectsOf({ command, args, appliances, lasts, beside }: AskedFor): readonly RequestedCommand[] {
    // What is asked of nothing would be refused by nothing.
    if (appliances.length === 0) throw new Error(`${command.phrase} is asked of no appliance`);
    return typeof appliances === 'string'
      ? subjectsOn(command, args, appliances, lasts)
      : appliances.flatMap((name) =>
          subjectsOn(command, args, applianceIn(fleet, name), lasts).map((own) => ({
            ...own,
            ...(beside && { beside: besideOn(name, own.name, beside) }),
          })),
        );
  }

  /**
   * A command, and what is decided with it. How much may go wrong is said by the command itself: what it does that another one does as
   * well can be taken back where its own undo can.
   */
  function subjectsOn(
    command: AnyCommand,
    args: AskedFor['args'],
    appliance: RequestedCommand['appliance'],
    lasts: Lasts,
  ): readonly RequestedCommand[] {
    const own = subjectOf(command, args, appliance, lasts);
    const others = along(command, args).map((one) => ({
      ...subjectOf(one.command, one.args, appliance, lasts),
      effect: own.effect,
      lasts: own.lasts,
    }));
    return [own, ...others];
  }

  /** Each line counts once: as what is decided, where it is that as well, and else as itself. */
  const besideOn = (name: string, as: string, beside: readonly AskedFor[]): readonly RequestedCommand[] =>
    beside.flatMap(({ command, args, appliances, lasts }) => {
      if (!appliances.includes(name)) return [];
      const all = subjectsOn(command, args, applianceIn(fleet, name), lasts);
      const same = all.filter((one) => one.name === as);
      return same.length > 0 ? same.slice(0, 1) : all.slice(0, 1);
    });

  const isOpenTo = (command: AnyCommand, who: Identity, where: Where, policy: Policy): boolean =>
    subjectsOf({ command, ...anyhow }).every((what) =>
      allows({ who, where, what, access: 'suggest' }, policy),
    );

  const capableOf: Authority['rolesFor'] = (asked, channel) => {
    const [first = [], ...others] = subjectsOf(asked).map((what) => rolesFor(what, channel, current()));
    return first.filter(({ role }) => others.every((some) => some.some((one) => one.role === role)));
  };

  const decideEach: Authority['decideEach'] = async ({ person, channel, command, access }) => {
    // Before anything is waited for: a policy that changes meanwhile must not be decided half by the old one.
    const policy = current();
    const matters = mayChange({ what: command, access });
    const { who, where } = await situationOf(person, channel, policy, matters);
    return (wanted) =>
      allOf(
        subjectsOf({ command, ...wanted }).map((one) => decide({ who, where, what: one, access }, policy)),
      );
  };

  /** `matters`: whether it does who else is in the channel, which is looked up only then. */
  async function situationOf(person: string, channel: string, policy: Policy, matters = true) {
    const isLookedAt = matters && channelPolicy(channel) !== undefined;
    const [who, place] = await Promise.all([
      members.identify(person, groupsIn(channel, policy)),
      isLookedAt ? members.placeOf(channel) : Promise.resolve<ChannelSharing>('own'),
    ]);
    return { who, where: { channel, place } };
  }

  return {
    policy: current,
    channel: channelPolicy,
    identify,

    decide: async ({ args, appliances, lasts, beside, ...asker }) =>
      (await decideEach(asker))({ args, appliances, lasts, beside }),
    decideEach,

    placeOf: members.placeOf,

    isShut: async (command, channel) => {
      const policy = channelPolicy(channel);
      const { effect } = anySubjectOf(command);
      if (policy === undefined || effect === 'read' || policy.sharedWrites) return false;
      return (await members.placeOf(channel)) === 'shared';
    },

    rolesFor: capableOf,
    limitsOf: (command, role) => limitsOfRole(anySubjectOf(command), role, current()),
    approvalFor: (asked, by) =>
      hardest(subjectsOf(asked).map((what) => approvalFor(what, by, now(), current(), asked.planned))),

    ticketFor: (asked, channel) => {
      // What must not last is never kept on by a ticket that is missing.
      if (ends.has(asked.command.phrase)) return 'no';
      const needs = subjectsOf(asked).map((what) => ticketNeedFor(what, channel, current()));
      return needs.includes('yes') ? 'yes' : needs.includes('perhaps') ? 'perhaps' : 'no';
    },

    freezeFor: (asked, held) => {
      const at = Math.max(now(), asked.planned?.runsAt ?? 0);
      return subjectsOf(asked).flatMap((what) => frozenAt(what, held, at, current()) ?? [])[0];
    },

    rolesOf: async (person, channel) => {
      const identity = await identify(person, channel);
      const settings = channelPolicy(channel);
      return settings === undefined ? [] : heldRoles(identity, settings, current());
    },

    holdsOne: async (person, roles, channel) =>
      holdsOne(await identify(person, channel), roles, channel, current()),

    mayHoldOne: (who, roles, channel) => holdsOne(atBest(who), roles, channel, current()),

    holders: (roles, channel) => [...holdersOfAny(roles, channel, current())],

    approvers: (roles, channel) => members.withoutBots([...holdersOfAny(roles, channel, current())]),
    channelsWith: (roles) =>
      Object.keys(current().channels).filter((id) => holdersOfAny(roles, id, current()).size > 0),

    people: (roles, channel) => open(holdersOfAny(roles, channel, current())),

    suggests: async (person, channel) => {
      const policy = current();
      const { who, where } = await situationOf(person, channel, policy);
      return (command) => command.unlisted !== true && isOpenTo(command, who, where, policy);
    },

    guide: async (commands, person, channelId) => {
      const policy = current();
      const channel = channelPolicy(channelId);
      const { who: identity, where } = await situationOf(person, channelId, policy);
      return {
        roles: channel === undefined ? [] : heldRoles(identity, channel, policy),
        served: channel !== undefined,
        appliance: channel?.appliance,
        appliances:
          channel === undefined
            ? []
            : allowedIn(channel, fleet, channelId).map((name) => ({
                name,
                tags: applianceIn(fleet, name).tags,
              })),
        // What a team calls its things is for its own people.
        words: isOfOurs(identity) ? (policy.words ?? {}) : {},
        obstacle: obstacleFor(identity, where, policy, commands),
        commands: commands
          .filter(({ unlisted }) => unlisted !== true)
          .map((command) => ({
            command,
            allowed: isOpenTo(command, identity, where, policy),
            roles: capableOf({ command, ...anyhow }, channelId).map(({ role }) => role),
          })),
      };
    },

    fault: async (denial, channel) => {
      const needed = 'needed' in denial ? denial.needed : [];
      const capable = await Promise.all(
        needed.map(
          async ({ role, holders }): Promise<CapablePeople> => ({ role, people: await open(holders) }),
        ),
      );
      return { code: 'denied', channel, denial, capable };
    },
  };
}

const isOfOurs = ({ kind }: Identity): boolean => kind !== 'other_organisation' && kind !== 'lookup_failed';

/** What of a command decides who may run it. */
export const subjectOf = (
  command: AnyCommand,
  args: RequestedCommand['args'],
  appliance: RequestedCommand['appliance'],
  lasts: RequestedCommand['lasts'],
): RequestedCommand => ({
  name: nameOf(command),
  area: areaOf(command),
  // What an info leads to is decided as itself (`InfoDeclaration`).
  effect: command.kind === 'info' ? 'read' : command.effect,
  open: command.kind === 'info' && command.anywhere,
  selfService: command.kind === 'info' && (command.selfService ?? false),
  named: command.named === true,
  args,
  appliance,
  lasts: lastsFor(command, lasts),
});

/** What nothing ends by itself is for good, whatever is not known yet; of several lines each lasts as long as it says, and all as the longest. */
function lastsFor(command: AnyCommand, lasts: RequestedCommand['lasts']): RequestedCommand['lasts'] {
  if (command.kind === 'change' && command.gathers !== undefined)
    return typeof lasts === 'number' ? lasts : 'any';
  return lasts === 'any' && !canEnd(command) ? 'forGood' : lasts;
}

/** The same with any arguments, on any appliance, for any time. */
export const anySubjectOf = (command: AnyCommand): RequestedCommand =>
  subjectOf(command, 'any', 'any', 'any');

const canEnd = (command: AnyCommand): boolean =>
  command.kind === 'change' && (command.undo ?? command.timed) !== undefined;

/** What is decided together with a command, because it tells or does the same. */
interface DecidedWith {
  readonly command: AnyCommand;
  readonly args: Arguments | 'any';
}

/** What a change may do as well, whatever it is asked with. */
export const namesDecidedWith = (command: AnyCommand): readonly string[] =>
  command.kind === 'change' ? (command.alsoDoes ?? []).map(({ name }) => name) : [];

/**
 * What a policy says of these holds for a command as well: of what puts something on watch the lookup that tells the same when somebody
 * asks, and of a change the commands whose effect it has, too. Nobody gets by another phrase what one phrase keeps from them.
 */
export function decidedWith(
  commands: Iterable<AnyCommand>,
): (command: AnyCommand, args: Arguments | 'any') => readonly DecidedWith[] {
  const byName = new Map([...commands].map((command) => [nameOf(command), command]));
  const called = (name: string, { phrase }: AnyCommand): AnyCommand => {
    const found = byName.get(name);
    // Nobody would be asked for what nobody can name.
    if (found === undefined) throw new Error(`${phrase} does what ${name} does, which is no command`);
    return found;
  };
  return (command, args) => {
    if (command.kind === 'lookup' && command.watches !== undefined)
      return [{ command: called(command.watches.more, command), args: args === 'any' ? args : {} }];
    if (command.kind !== 'change') return [];
    return (command.alsoDoes ?? []).flatMap((one): readonly DecidedWith[] => {
      // Arguments were read by the command's own declaration.
      const given = args === 'any' ? one.always && args : one.with(args as never);
      return given === undefined ? [] : [{ command: called(one.name, command), args: given }];
    });
  };
}

/** Why little or nothing is allowed, where there is a reason beyond roles. */
function obstacleFor(
  who: Identity,
  where: Where,
  policy: Policy,
  commands: readonly AnyCommand[],
): Text | undefined {
  const { channel: id, place } = where;
  const channel = channelIn(policy, id);
  const why = (standing: PersonOrPlace['code']): Text =>
    capitalized(standingInWords({ code: standing }, id, 'you'));
  if (channel === undefined) {
    const ask = commands.map(anySubjectOf).find(({ selfService }) => selfService === 'alone');
    const asking = ask && decide({ who, where, what: ask, access: 'run' }, policy);
    const notEnabled = why('channel_not_served');
    if (asking?.allow) return say`${notEnabled}, but blocked websites can be requested here.`;
    const isElsewhere = asking?.denial.code === 'self_service' && asking.denial.why === 'place';
    const hint = isElsewhere ? ' Blocked websites can be requested in a direct message.' : '';
    return say`${notEnabled}: only ${code('help')} and ${code('whoami')} work here.${hint}`;
  }
  if (who.kind !== 'member') return say`${why(who.kind)}.`;
  return place === 'shared' && channel.sharedWrites !== true ? say`${why('shared_channel')}.` : undefined;
}

/** What a policy can name of these commands, each in alphabetical order. */
export function vocabularyOf(commands: readonly AnyCommand[]): Vocabulary {
  const byName = Map.groupBy(commands, nameOf);
  return {
    areas: [...new Set(commands.map(areaOf))].toSorted(),
    phrases: new Map(
      [...byName]
        .map(([name, own]) => [name, [...new Set(own.flatMap(({ args }) => argumentsIn(args)))]] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
    subjects: commands.map(anySubjectOf),
    compared: (phrase, name, value) =>
      byName
        .get(phrase)
        ?.flatMap(({ args }) => args[name] ?? [])
        .map((argument) => comparedAs(argument, value))
        .find((compared) => compared !== undefined),
  };
}

const argumentsIn = (args: AnyCommand['args']): readonly string[] =>
  Object.entries(args).flatMap(([name, { narrows }]) => (narrows ? [] : [name]));

function comparedAs(argument: Argument, value: string): string | undefined {
  if (argument.numbered) return /^(?:0|[1-9][0-9]*)$/.test(value) ? value : undefined;
  const reading = argument.read(value);
  // Whom a name means may be somebody else tomorrow.
  if (reading.ok && isCalled(argument, reading.value)) return undefined;
  return reading.ok && ['string', 'number', 'boolean'].includes(typeof reading.value)
    ? String(reading.value)
    : undefined;
}
