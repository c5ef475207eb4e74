import type { AnyCommand } from '../../handlers/command.ts';
import { code, person as personSpan, say, strong } from '../../handlers/reply.ts';
import type { Button, Said, SaidPart } from '../base/chat.ts';
import { applianceSections, timedSections } from './appliances.ts';
import type { HealthLine } from './health.ts';
import { commandSections, latelySections } from './own.ts';
import { plannedSections } from './planned.ts';
import { type RequestParts, requestSections } from './requests.ts';
import type { Section, Viewer } from './section.ts';
import { type SiteParts, siteSections, sitesToDecide } from './sites.ts';

/** A person's own page, made for whoever looks: what is on, what waits for them, how things are, what they did and can do. */
export interface HomePage {
  /** Where two are the same, so is what is seen. */
  readonly key: string;
  /** Keeps what its buttons stand for. */
  readonly said: () => Promise<Said>;
}

export interface HomeParts extends RequestParts, SiteParts {
  readonly commands: readonly AnyCommand[];
  readonly health: HealthLine;
}

export async function homePage(parts: HomeParts, person: string): Promise<HomePage> {
  const found = await channelsWithRole(parts, person);
  if (found === 'lookup_failed') return { key: 'unread', said: async () => channelsUnread };
  const { channels, isUnread } = found;
  if (channels.length === 0) {
    // Whoever has no role may have asked for a site.
    const sites = await siteSections(parts, person, []);
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
    sitesToDecide(
      parts,
      person,
      channels.map(({ id }) => id),
    ).then((toDecide) => siteSections(parts, person, toDecide)),
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
