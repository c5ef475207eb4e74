import type { Appliance } from '../../api/index.ts';
import type { Members } from '../../auth/members.ts';
import { groupsNamed } from '../../auth/policy-index.ts';
import {
  channel as channelSpan,
  code,
  group,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { Said } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { postOnce } from '../showing/messages.ts';

/** What people are told who meet the bot for the first time. */
export interface FirstSteps {
  /** It was invited into a channel: what it can do there, and what an admin has to do first. */
  readonly invited: (channel: string) => Promise<void>;
  /** At its very first start: what is still missing, for the admins. Undefined where nothing is, and at any other start. */
  readonly missing: (bot: InstalledApp) => Promise<Said | undefined>;
}

/** The bot as it stands in the workspace. */
interface InstalledApp {
  readonly user: string | undefined;
  readonly missingScopes: readonly string[];
}

export function createFirstSteps({
  authority,
  appliances,
  journal,
  chat,
  outbox,
  present,
  members,
  now,
}: Parts & { readonly members: Members }): FirstSteps {
  return {
    invited: async (channel) => {
      const here = authority.channel(channel);
      const said = here === undefined ? 'not enabled' : 'enabled';
      if (await isIntroduced(channel, said)) return;
      const reply = here === undefined ? notEnabled(channel) : ready(here.appliance);
      await outbox.send(postOnce(introduction(channel, said), channel, await present(reply, { channel })));
    },

    missing: async ({ user, missingScopes }) => {
      if ((await journal.recent(1)).length > 0 || !(await journal.claimDelivery('first start')))
        return undefined;
      const found = [
        ...missingScopes.map(
          (scope) => say`The app has no scope ${code(scope)}: paste the manifest and reinstall the app.`,
        ),
        ...(await notJoined(user)),
        ...(await unreadGroups(user)),
        ...(await Promise.all([...appliances.values()].map(unreachable))).flat(),
      ];
      if (found.length === 0) return undefined;
      return {
        headline: say`Appliance Bot is running for the first time. ${strong('Still missing')}:`,
        details: [
          { kind: 'list', items: found },
          {
            kind: 'text',
            text: say`${code('appliance-bot doctor')} on its machine checks all of this again, and more.`,
          },
        ],
      };
    },
  };

  /** Whether the last word there says so already: whoever invites the bot again, or is told again by Slack, learns nothing new. */
  async function isIntroduced(channel: string, said: Introduction): Promise<boolean> {
    const other = said === 'enabled' ? 'not enabled' : 'enabled';
    const since = now() - introducedFor;
    const find = (one: Introduction) => chat.find({ channel }, introduction(channel, one), since);
    const [same, different] = await Promise.all([find(said), find(other)]);
    if (same.kind === 'not_there') return false;
    if (same.kind === 'stands') return different.kind !== 'stands' || different.ts < same.ts;
    // Where nobody may look, it is said once a day at most.
    return !(await journal.claimDelivery(introduction(channel, said)));
  }

  async function notJoined(user: string | undefined): Promise<readonly Text[]> {
    const own = user === undefined ? 'lookup_failed' : await members.channelsOf(user);
    if (own === 'lookup_failed') return [say`Slack doesn’t tell which channels the bot is in.`];
    return Object.keys(authority.policy().channels)
      .filter((id) => !own.has(id))
      .map((id) => say`The bot is not in ${channelSpan(id)}: ${code('/invite @appliance-bot')} there.`);
  }

  async function unreadGroups(user: string | undefined): Promise<readonly Text[]> {
    const identity = await members.identify(user ?? '', groupsNamed(authority.policy()));
    const unread = 'unread' in identity ? identity.unread : undefined;
    return [...(unread ?? [])].map(
      (id) => say`Slack doesn’t tell who is in ${group(id)}: nobody has a role by it.`,
    );
  }

  async function unreachable(appliance: Appliance): Promise<readonly Text[]> {
    if (await appliance.learnRelease()) return [];
    return [
      say`${strong(appliance.name)} didn’t tell its release: check its address, and that the bot can reach it.`,
    ];
  }
}

type Introduction = 'enabled' | 'not enabled';

const introduction = (channel: string, said: Introduction): string => `introduced ${channel} ${said}`;

/** In milliseconds: who comes into a channel reads so far back. */
const introducedFor = 90 * 24 * 60 * 60_000;

const ready = (appliance: string): Reply => ({
  headline: say`Appliance Bot is ready in this channel, for ${strong(appliance)}.`,
  details: [
    {
      kind: 'list',
      items: [
        say`${code('/appliance')} shows what people come for; ${code('/appliance whoami')} what you may do here.`,
        say`In a thread, write ${code('@appliance-bot status')}.`,
        say`${code('/appliance watch status')} posts here when something breaks.`,
        say`Commands that change something need a role, which admins give in the policy file.`,
      ],
    },
  ],
});

const notEnabled = (channel: string): Reply => ({
  headline: say`Appliance Bot isn’t enabled in this channel yet. Only ${code('help')} and ${code('whoami')} work here.`,
  details: [
    {
      kind: 'text',
      text: say`An admin enables it by adding the channel to the policy file, with the appliance that it is for and who has which role:`,
    },
    { kind: 'log', name: 'policy.yml', text: `channels:\n  ${channel}:\n    appliance: …\n    roles: …\n` },
  ],
});
