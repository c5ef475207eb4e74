import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

test.each(['plan_upgrade_required', 'unknown_method', 'missing_scope'])(
  'a role given without user groups holds where Slack does not list groups (%s)',
  async (error) => {
    const roles = { viewer: 'everyone', helpdesk: ['S0HELPDESK'], operator: ['S0OPERATOR', 'U0BOB00001'] };
    const { type, pass, workspace, appliance } = await converse({
      policy: { channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } } },
    });
    workspace.faults.next('usergroups.users.list', { kind: 'error', error }, Number.POSITIVE_INFINITY);
    await pass(2 * 60_000);
    expect(await type('/appliance categorize example.com', 'alice')).toContain('example.com is in');
    await type('/appliance acl object disable google_sni', 'bob');
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(false);
    const refused = await type('/appliance rdp disconnect 12', 'alice');
    expect(refused).toContain('Couldn’t find out from Slack which user groups you are in');
    expect(refused).not.toContain('[Disconnect]');
  },
);
