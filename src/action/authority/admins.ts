import type { Members } from '../../auth/members.ts';
import { everyone, type Policy, type PolicyInForce } from '../../auth/policy.ts';
import { noAdmin } from '../../telemetry/events/policy.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Chat, Said } from '../base/chat.ts';

/** Tells those who run the bot something about itself, in a direct message to each. */
export type TellAdmins = (said: Said, admins?: ReadonlySet<string>) => Promise<void>;

export interface AdminsParts {
  readonly policy: PolicyInForce;
  readonly members: Pick<Members, 'openGroups'>;
  readonly chat: Pick<Chat, 'notify'>;
  readonly log: Log;
}

export function createTellAdmins({ policy, members, chat, log }: AdminsParts): TellAdmins {
  return async (said, admins = adminsOf(policy.current())) => {
    const people = await members.openGroups([...admins]);
    if (people.length === 0) log.tell(noAdmin);
    await Promise.all(people.map((one) => chat.notify(one, said)));
  };
}

/** Who holds the role admin anywhere, user groups not opened. Everyone is nobody to write to. */
export function adminsOf({ holders, channels }: Policy): ReadonlySet<string> {
  const counting = Object.values(channels).filter(({ only }) => only === undefined || only.includes('admin'));
  const held = [holders.admin, ...counting.map(({ roles }) => roles.admin)];
  return new Set(held.flatMap((some) => [...(some ?? [])]).filter((id) => id !== everyone));
}
