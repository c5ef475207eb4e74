import type { Capable, Denial } from '../../auth/decide.ts';
import {
  channel,
  code,
  elapsed,
  enumerate,
  person,
  plural,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { limitsInWords } from './rules.ts';
import { type Chosen, inARow, noChanges, notRequested } from './sentences.ts';

/** The people behind a role, with its user groups opened. */
export interface CapablePeople {
  readonly role: Capable['role'];
  readonly people: 'everyone' | readonly string[];
}

/** A direct message has no name that Slack would show. */
const placeInWords = (id: string): Text =>
  id.startsWith('D') ? say`this direct message` : say`${channel(id)}`;

/** Whom a sentence is about: whoever reads it, or somebody whom it has named before. */
export type Whom = 'you' | 'they';

const whose = { you: 'your', they: 'their' } as const;

/** Facts of a denial about the person and the place alone, whatever is asked for. */
export type PersonOrPlace = {
  readonly code:
    | 'channel_not_served'
    | 'bot'
    | 'deactivated'
    | 'guest'
    | 'other_organisation'
    | 'shared_channel'
    | 'lookup_failed';
  readonly lookup?: 'person' | 'group' | 'channel';
};

/** The first clause of a reason, and all of it where the command does not matter. */
export function standingInWords(
  { code: verdict, lookup = 'person' }: PersonOrPlace,
  where: string,
  whom: Whom,
): Text {
  switch (verdict) {
    case 'channel_not_served':
      return say`Appliance Bot isn’t enabled in ${placeInWords(where)}`;
    case 'bot':
      return say`only bots that the policy grants a role by name may use Appliance Bot`;
    case 'deactivated':
      return say`${whose[whom]} account is deactivated`;
    case 'guest':
      return say`${whom} are a guest in this workspace, and guests hold only roles granted to them by name`;
    case 'other_organisation':
      return say`${whom} belong to another organization, whose people have only roles granted to them by name`;
    case 'shared_channel':
      return say`changes are blocked in ${placeInWords(where)}, because it is shared with another organization and the policy does not allow changes there`;
    case 'lookup_failed':
      return say`couldn’t find out from Slack ${unknownOf(lookup, whom)}, so this was refused`;
  }
}

const unknownOf = (lookup: 'person' | 'group' | 'channel', whom: Whom): string =>
  ({
    person: `who ${whom} are`,
    group: `which user groups ${whom} are in`,
    channel: 'whether this channel is shared with another organization',
  })[lookup];

/** Why: the same for the same verdict, wherever it is asked and whoever reads it. */
const reasons: {
  readonly [Code in Denial['code']]: (
    denial: Extract<Denial, { code: Code }>,
    where: string,
    whom: Whom,
  ) => readonly Text[];
} = {
  channel_not_served: (denial, where, whom) => [
    // What is written in a direct message counts in one of the person's channels.
    where.startsWith('D')
      ? say`${whom} aren’t in any channel where Appliance Bot is enabled`
      : standingInWords(denial, where, whom),
  ],
  bot: (denial, where, whom) => [standingInWords(denial, where, whom)],
  deactivated: (denial, where, whom) => [standingInWords(denial, where, whom)],
  lookup_failed: (denial, where, whom) => [standingInWords(denial, where, whom)],
  shared_channel: (denial, where, whom) => [standingInWords(denial, where, whom)],
  guest: (denial, where, whom) => [standingInWords(denial, where, whom), needed(denial, where)],
  other_organisation: (denial, where, whom) => [standingInWords(denial, where, whom), needed(denial, where)],
  self_service: (denial, _, whom) => [notAsked(denial, whom)],
  argument: (denial, _, whom) => onlyWith(denial, whom),
  appliance: (denial, _, whom) => onlyWith(denial, whom),
  role_missing: (denial, where, whom) => [needed(denial, where), holding(denial.held, whom)],
};

export const isDenialCode = (code: string): boolean => Object.hasOwn(reasons, code);

const clausesOf = (denial: Denial, where: string, whom: Whom): readonly Text[] =>
  // Each denial is worded by the entry of its own code.
  (reasons[denial.code] as (denial: Denial, where: string, whom: Whom) => readonly Text[])(
    denial,
    where,
    whom,
  );

/** As sentences of their own. */
export const whyDenied = (denial: Denial, where: string, whom: Whom): Text =>
  inARow(...clausesOf(denial, where, whom).map((clause) => say`${capitalized(clause)}.`));

/** As the end of a sentence, behind a colon. */
export const becauseDenied = (denial: Denial, where: string, whom: Whom): Text =>
  clausesOf(denial, where, whom).flatMap((clause, index) => (index === 0 ? clause : [', and ', ...clause]));

export const capitalized = ([first, ...others]: Text): Text =>
  first === undefined
    ? []
    : [typeof first === 'string' ? first.charAt(0).toUpperCase() + first.slice(1) : first, ...others];

/** Somebody may not do that, with the way out. */
export const denied: Chosen<{
  readonly channel: string;
  readonly denial: Denial;
  readonly capable: readonly CapablePeople[];
}> = ({ denial, channel: where, capable }) => ({
  happened: whyDenied(denial, where, 'you'),
  not: denial.code === 'self_service' ? notRequested : noChanges,
  todo: wayOut(denial, where, capable),
});

function wayOut(denial: Denial, where: string, capable: readonly CapablePeople[]): Text {
  switch (denial.code) {
    case 'channel_not_served':
      return where.startsWith('D')
        ? say`Join one of its channels, and ask an admin for a role there.`
        : inARow(whereElse(denial.elsewhere), say`An admin can add ${code(where)} to the policy.`);
    case 'bot':
      return say`An admin can grant it a role by its ID.`;
    case 'deactivated':
      return say`Ask an admin of this workspace.`;
    case 'lookup_failed':
      return say`Try again in a minute.${
        denial.lookup === 'channel'
          ? say` If Appliance Bot is not in this channel, type ${code('/invite @appliance-bot')}.`
          : []
      }`;
    case 'shared_channel':
      return inARow(whereElse(denial.elsewhere), say`An admin can allow it with ${code('shared: write')}.`);
    case 'self_service':
      return askDifferently(denial);
    default: {
      const ways = inARow(whoCould(capable), whereElse(denial.elsewhere));
      return ways.length > 0 ? ways : say`An admin can give you a role for it.`;
    }
  }
}

type NotAsked = Extract<Denial, { code: 'self_service' }>;

/** Why somebody may not ask for a site. */
function notAsked({ why, longest = 0 }: NotAsked, whom: Whom): Text {
  switch (why) {
    case 'off':
      return say`requesting sites is not enabled`;
    case 'person':
      return say`${whom} can’t request sites, because the policy doesn’t include ${whom === 'you' ? 'you' : 'them'}`;
    case 'place':
      return say`sites can’t be requested in this channel`;
    case 'appliance':
      return say`sites can’t be requested on that appliance`;
    case 'longest':
      return say`sites can be requested for at most ${elapsed(longest)}`;
    case 'for_good':
      return say`sites can be requested for a time only, at most ${elapsed(longest)}`;
  }
}

function askDifferently({ why }: NotAsked): Text {
  switch (why) {
    case 'off':
      return say`An admin can enable it with ${code('self_service')} in the policy.`;
    case 'person':
      return say`Ask an admin.`;
    case 'place':
      return say`Write to Appliance Bot in a direct message instead.`;
    case 'appliance':
      return say`Name another appliance, or ask an admin.`;
    case 'longest':
      return say`Ask for a shorter time.`;
    case 'for_good':
      return say`Add a time, such as ${code('for 2h')}.`;
  }
}

function needed(denial: Extract<Denial, { needed: unknown }>, where: string): Text {
  return denial.needed.length === 0
    ? say`no role in ${placeInWords(where)} may run ${code(denial.command)}`
    : say`${code(denial.command)} requires the ${rolesIn(denial.needed)} role in ${placeInWords(where)}`;
}

const rolesIn = (roles: readonly Capable[]): Text =>
  enumerate(
    roles.map(({ role }) => strong(role)),
    'or',
  );

/** *You may run `category add` only with category 252 or 253 on branch.* */
const onlyWith = (
  { command, limits, counted, held, needed: roles }: Extract<Denial, { limits: unknown }>,
  whom: Whom,
): readonly Text[] => [
  say`${whom} may run ${code(command)} only ${limitsInWords(limits)}`,
  ...(roles.length === 0 ? [] : [say`anything else requires the ${rolesIn(roles)} role`]),
  ...(counted ? [say`the lines of a plan count together`] : []),
  holding(held, whom),
];

function holding(held: readonly string[], whom: Whom): Text {
  if (held.length === 0) return say`${whom} have no role here`;
  return held.length === 1
    ? say`${whose[whom]} role here is ${enumerate(held.map(strong))}`
    : say`${whose[whom]} roles here are ${enumerate(held.map(strong))}`;
}

/** The first few: nobody reads a list of a hundred channels. */
export function whereElse(channels: readonly string[], may = 'You can run it'): Text {
  if (channels.length === 0) return [];
  const named = channels.slice(0, 3).map(channel);
  const more = channels.length - named.length;
  return say`${may} in ${enumerate(more > 0 ? [...named, plural(more, 'other channel')] : named, 'or')}.`;
}

/** The first few by name; a crowd would not help anybody find one. */
export function whoCould(capable: readonly Pick<CapablePeople, 'people'>[], wanted = 'to run it'): Text {
  const people = [...new Set(capable.flatMap(({ people: held }) => (held === 'everyone' ? [] : held)))];
  if (people.length === 0) return [];
  const named = people.slice(0, 5).map(person);
  const more = people.length - named.length;
  return say`Ask ${enumerate(more > 0 ? [...named, `${more} more`] : named, 'or')} ${wanted}.`;
}
