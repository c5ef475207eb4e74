import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { type Conversation, converse } from './conversation.ts';

type Settings = Readonly<Record<string, unknown>>;

/** A helpdesk whose policy has these settings, and these for the channel; `from` is when its clock begins. */
export const under = (policy: Settings, channel: Settings = {}, from?: number): Promise<Conversation> =>
  converse({
    ...(from !== undefined && { from }),
    policy: {
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: sandboxRoles, ...channel } },
      ...policy,
    },
  });

/** One in which a disconnect waits for an approver, with these settings of the rule. */
export const needing = (rule: Settings = {}, from?: number): Promise<Conversation> =>
  under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', ...rule }] }, {}, from);

/** How many disconnects have reached the appliance. */
export const sent = ({ appliance }: Pick<Conversation, 'appliance'>): number =>
  appliance.requests.filter(({ path }) => path.endsWith('/disconnect')).length;

/** Puts other words into the policy file of a running bot, which takes it as it is then. */
export async function rewrite(house: Conversation, from: string | RegExp, to: string): Promise<void> {
  const file = join(dirname(house.data), 'appliance-bot.yml');
  const before = readFileSync(file, 'utf8');
  const text = before.replace(from, to);
  expect(text).not.toBe(before);
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  house.bot.reload();
  await house.bot.idle();
  expect((await house.bot.journal.reloads(1))[0]?.outcome).toBe('taken');
}
