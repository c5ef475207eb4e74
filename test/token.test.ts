import { expect, test } from 'vitest';
import { under } from './approving.ts';

const minute = 60_000;

test.each(['bot', 'app'] as const)(
  'a new %s token replaces a revoked one, and waiting work is not lost: a card, and the password in it',
  async (token) => {
    const conversation = await under({
      approvals: [{ commands: [{ phrase: 'rdp target create' }], by: 'approver' }],
    });
    const { type, person, press, pass, restart, workspace, appliance } = conversation;
    const dana = person('dana');
    await type('/appliance rdp target create srv-new-01 --set address=10.20.1.44', 'dana');
    const label = dana.form()?.fields[1]?.label ?? '';
    await dana.fill({ [label]: 'hunter2, the Third' });
    await dana.submit();
    const targets = () => [...appliance.state.rdp.targets.values()];
    expect(targets().map(({ name }) => name)).not.toContain('srv-new-01');

    workspace.conditions.turn({ [`${token}Token`]: 'revoked' });
    await pass(minute);
    await restart(async () => {
      workspace.replaceToken(token);
      workspace.conditions.turn({ [`${token}Token`]: 'valid' });
    });
    await press('Approve', 'carol');
    const created = targets().find(({ name }) => name === 'srv-new-01');
    expect(JSON.stringify(created)).toContain('hunter2, the Third');
  },
);
