import { expect, test } from 'vitest';
import { ofKind } from '../../../test/commands.ts';
import { plainText } from '../reply.ts';
import { create as createMember } from './access/members.commands.ts';
import { create as createPolicy } from './access/policies.commands.ts';
import { create as createTarget } from './access/targets.commands.ts';

const entry = { id: 7, name: 'twin', fields: { name: 'twin' } };
const appliance = {
  name: 'hq',
  rdp: {
    listMembers: async () => [{ ...entry, username: 'twin' }],
    listTargets: async () => [entry],
    listPolicies: async () => [{ ...entry, rights: {} }],
  },
};

test.each([
  ['Member', createMember, { username: 'twin' }],
  ['Target', createTarget, { name: 'twin' }],
  ['Policy', createPolicy, { name: 'twin' }],
] as const)(
  'a %s that exists is not created again, and a new one is undone by its number',
  async (kind, command, args) => {
    const { preview, undo } = ofKind('change', command);
    const now = Date.UTC(2026, 10, 20);
    const asked = async (given: object) => preview({ appliance, now, args: given } as never);
    const twin = await asked(args);
    expect(twin.kind === 'nothing' && plainText(twin.why)).toBe(
      `${kind} twin already exists on hq, number 7.`,
    );
    const slot = Object.keys(args)[0] ?? '';
    expect((await asked({ [slot]: 'new one' })).kind).toBe('ready');
    const line = `rdp ${kind.toLowerCase()} delete`;
    expect(undo?.({ [slot]: 'new one' } as never, { id: 8 })).toBe(`${line} 8`);
    expect(undo?.({ [slot]: 'new one' } as never, {})).toBe(`${line} "new one"`);
  },
);
