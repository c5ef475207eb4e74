import { expect, test } from 'vitest';
import { connect, helpdesk, start } from '../../../sandbox/workspace/testing.ts';
import { createLog } from '../../telemetry/log.ts';
import { type Inbox, listen } from './inbound.ts';

test('what Slack tells of people, groups and channels is handed on by its ID', async () => {
  const workspace = await start({ eventRetryDelaysMs: [] });
  const told: string[] = [];
  const inbox: Partial<Inbox> = {
    personChanged: (person) => told.push(person),
    groupChanged: (group) => told.push(group),
    channelChanged: (channel) => told.push(channel),
  };
  // Nothing is asked or clicked here, so the rest of the inbox stays away.
  await connect(workspace, (app) => listen(app, inbox as Inbox, createLog('silent')));
  await workspace.changePerson('U0ALICE001', { isGuest: true });
  await workspace.changeUserGroup('S0HELPDESK', { users: [] });
  await workspace.changeChannel(helpdesk, { isExtShared: true });
  await workspace.changeChannel('C0PARTNERS', { isExtShared: false });
  // A group says twice that it has changed: whose members, and what it is.
  expect(told).toEqual(['U0ALICE001', 'S0HELPDESK', 'S0HELPDESK', helpdesk, 'C0PARTNERS']);
});
