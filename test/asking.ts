import { sandboxRoles } from '../sandbox/sandbox.ts';
import { type Conversation, converse } from './conversation.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Blocked, in no category, and reached when it is in `personal_allowed`. */
export const blockedSite = 'live-betting.example';
const allowCategory = 207;

/**
 * A helpdesk that decides on requests for sites: bob may allow them, vic has no role anywhere. With these settings of
 * self-service, and these of the policy.
 */
export async function asking(settings: Settings = {}, more: Settings = {}, options: Settings = {}) {
  const house = await converse({
    ...options,
    policy: {
      self_service: { channel: 'C0HELPDESK', allow_category: allowCategory, ...settings },
      channels: {
        C0HELPDESK: {
          name: 'helpdesk',
          appliance: 'hq',
          appliances: 'all',
          roles: { ...sandboxRoles, viewer: ['S0HELPDESK'] },
        },
      },
      ...more,
    },
  });
  return { ...house, ...words(house) };
}

/** The things that people say and see there. */
function words({ type, read, pass, appliance }: Conversation) {
  return {
    /** Vic, or somebody else without a role, asks in #random. */
    ask: async (line: string, by = 'vic') => newest(await type(`/appliance ask ${line}`, by, 'random')),
    /** All that the bot has said to somebody in person. */
    heard: (by = 'vic') => read(by, 'appliance-bot'),
    isAllowed: () => appliance.state.categories.all.get(allowCategory)?.live.has(blockedSite) === true,
    orders: () =>
      appliance.requests.filter(({ path }) => path === `/categories/${allowCategory}/${blockedSite}`).length,
    /** The bot looks at its clock, as it does every two seconds. */
    soon: () => pass(6_000),
  };
}

/** The last message of a channel. */
export const newest = (transcript: string): string => transcript.split('\n\n').at(-1) ?? '';
