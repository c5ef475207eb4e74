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

/** The people behind a role, with its user groups opened. */
export interface CapablePeople {
  readonly role: Capable['role'];
  readonly people: 'everyone' | readonly string[];
}

/** A direct message has no name that Slack would show. */
export const placeInWords = (id: string): Text =>
  id.startsWith('D') ? say`this direct message` : say`${channel(id)}`;

/** The words of every denial, with the way out. */
export function denied(denial: Denial, where: string, capable: readonly CapablePeople[]): Text {
  switch (denial.code) {
    case 'channel_not_served':
      // What is written in a direct message counts in one of the person's channels.
      if (where.startsWith('D'))
        return say`You aren’t in any channel where Appliance Bot is enabled. No changes were made. Join one of its channels, and ask an admin for a role there.`;
      return say`Appliance Bot isn’t enabled in ${placeInWords(where)}. No changes were made.${whereElse(denial.elsewhere)} An admin can add ${code(where)} to the policy.`;
    case 'guest':
      return say`You are a guest in this workspace, and guests hold only roles granted to them by name. ${needed(denial, where)} No changes were made.${wayOut(denial, capable)}`;
    case 'other_organisation':
      return say`You belong to another organization, whose people have only roles granted to them by name. ${needed(denial, where)} No changes were made.${wayOut(denial, capable)}`;
    case 'bot':
      return say`Only bots that the policy grants a role by name may use Appliance Bot. No changes were made.`;
    case 'deactivated':
      return say`Your account is deactivated. No changes were made.`;
    case 'shared_channel':
      return say`Changes are blocked in ${channel(where)}: it is shared with another organization, and the policy does not allow changes there. No changes were made.${whereElse(denial.elsewhere)} An admin can allow it with ${code('shared: write')}.`;
    case 'self_service':
      return notAsked(denial);
    case 'lookup_failed':
      return say`Couldn’t find out from Slack ${unknownOf[denial.lookup]}, so this was refused. No changes were made. Try again in a minute.${
        denial.lookup === 'channel'
          ? say` If Appliance Bot is not in this channel, type ${code('/invite @appliance-bot')}.`
          : []
      }`;
    case 'argument':
    case 'appliance':
      return say`${limited(denial)} ${holding(denial.held)} No changes were made.${wayOut(denial, capable)}`;
    case 'role_missing':
      return say`${needed(denial, where)} ${holding(denial.held)} No changes were made.${wayOut(denial, capable)}`;
  }
}

/** Why somebody may not ask for a site, and what to do. */
function notAsked({ why, longest = 0 }: Extract<Denial, { code: 'self_service' }>): Text {
  switch (why) {
    case 'off':
      return say`Requesting sites is not enabled. Nothing was requested. An admin can enable it with ${code('self_service')} in the policy.`;
    case 'person':
      return say`You can’t request sites: the policy doesn’t include you. Nothing was requested. Ask an admin.`;
    case 'place':
      return say`Sites can’t be requested in this channel. Nothing was requested. Write to Appliance Bot in a direct message instead.`;
    case 'appliance':
      return say`Sites can’t be requested on that appliance. Nothing was requested.`;
    case 'longest':
      return say`Sites can be requested for at most ${elapsed(longest)}. Nothing was requested. Ask for a shorter time.`;
    case 'for_good':
      return say`Sites can be requested for a time only, at most ${elapsed(longest)}. Nothing was requested. Add a time, such as ${code('for 2h')}.`;
  }
}

const unknownOf = {
  person: 'who you are',
  group: 'which user groups you are in',
  channel: 'whether this channel is shared with another organization',
} as const;

function needed(denial: Extract<Denial, { needed: unknown }>, where: string): Text {
  return denial.needed.length === 0
    ? say`No role in ${channel(where)} may run ${code(denial.command)}.`
    : say`${code(denial.command)} requires the ${enumerate(
        denial.needed.map(({ role }) => strong(role)),
        'or',
      )} role in ${channel(where)}.`;
}

/** *You may run `category add` only with category 252 or 253 on branch.* */
const limited = ({ command, limits, counted }: Extract<Denial, { limits: unknown }>): Text =>
  say`You may run ${code(command)} only ${limitsInWords(limits)}.${counted ? ' The lines of a plan count together.' : ''}`;

function holding(held: readonly string[]): Text {
  if (held.length === 0) return say`You have no role here.`;
  return held.length === 1
    ? say`Your role here is ${enumerate(held.map(strong))}.`
    : say`Your roles here are ${enumerate(held.map(strong))}.`;
}

function wayOut(
  { elsewhere }: { readonly elsewhere: readonly string[] },
  capable: readonly CapablePeople[],
): Text {
  return say`${whoCould(capable)}${whereElse(elsewhere)}`;
}

/** The first few: nobody reads a list of a hundred channels. */
export function whereElse(channels: readonly string[], may = 'You can run it'): Text {
  if (channels.length === 0) return [];
  const named = channels.slice(0, 3).map(channel);
  const more = channels.length - named.length;
  return say` ${may} in ${enumerate(more > 0 ? [...named, plural(more, 'other channel')] : named, 'or')}.`;
}

/** The first few by name; a crowd would not help anybody find one. */
export function whoCould(capable: readonly Pick<CapablePeople, 'people'>[], wanted = 'to run it'): Text {
  const people = [...new Set(capable.flatMap(({ people: held }) => (held === 'everyone' ? [] : held)))];
  if (people.length === 0) return [];
  const named = people.slice(0, 5).map(person);
  const more = people.length - named.length;
  return say` Ask ${enumerate(more > 0 ? [...named, `${more} more`] : named, 'or')} ${wanted}.`;
}

/** The same of somebody else, as the end of a sentence. */
export function whyTheyCannot(denial: Denial): Text {
  switch (denial.code) {
    case 'channel_not_served':
      return say`Appliance Bot isn’t enabled in that channel`;
    case 'bot':
      return say`that is a bot, and it was given no role by name`;
    case 'deactivated':
      return say`the account is deactivated`;
    case 'lookup_failed':
      return say`Slack couldn’t be asked about the ${denial.lookup}, so this would be refused`;
    case 'guest':
      return say`guests hold only roles granted to them by name${takes(denial)}`;
    case 'other_organisation':
      return say`people of another organization have only roles granted to them by name${takes(denial)}`;
    case 'self_service':
      return say`the policy does not let them request sites there`;
    case 'shared_channel':
      return say`changes are blocked: that channel is shared with another organization`;
    case 'argument':
    case 'appliance':
      return say`only ${limitsInWords(denial.limits)}${takes(denial, 'anything else requires')}`;
    case 'role_missing':
      return denial.held.length === 0
        ? say`they have no role there${takes(denial)}`
        : say`their ${denial.held.length === 1 ? 'role there is' : 'roles there are'} ${enumerate(denial.held.map(strong))}${takes(denial)}`;
  }
}

function takes({ needed }: Extract<Denial, { needed: unknown }>, what = 'it requires'): Text {
  return needed.length === 0
    ? say`, and no role there may run it`
    : say`, and ${what} the ${enumerate(
        needed.map(({ role }) => strong(role)),
        'or',
      )} role`;
}
