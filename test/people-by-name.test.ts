import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

const called = (workspace: { readonly log: { calls(method: string): readonly unknown[] } }, method: string) =>
  workspace.log.calls(method).length;

describe('a person named without an @', () => {
  test.each([
    ['by their handle', 'audit --by bob'],
    ['in any case', 'audit --by BOB'],
    ['by their real name', 'audit --by "Bob Okafor"'],
    ['with an @ that Slack did not make a mention of', 'audit --by @bob'],
    ['in a sentence', 'what did bob do yesterday'],
  ])('%s finds who asked for something', async (_, line) => {
    const { type } = await converse();
    await type('/appliance rdp sessions', 'bob');
    await type('/appliance categories', 'alice');
    const said = await type(`/appliance ${line}`, 'dana');
    expect(said).toMatch(/1 action by @bob (since .* )?in this channel/);
    expect(said).toContain('rdp sessions');
    expect(said.slice(said.indexOf('1 action by'))).not.toContain('categories');
  });

  test('narrows the timeline to their actions', async () => {
    const { type } = await converse();
    await type('/appliance rdp sessions', 'bob');
    await type('/appliance categories', 'alice');
    const said = await type('/appliance timeline --by bob', 'dana');
    expect(said).toContain('Timeline of this channel by @bob since');
    expect(said).toContain('1 action, no changes');
    expect(await type('/appliance timeline --by vic', 'dana')).toContain(
      'Nothing happened by @vic in this channel since',
    );
  });

  test('gets the permissions that an @ would show', async () => {
    const { type } = await converse();
    expect(await type('/appliance can vic rdp disconnect 12')).toContain(
      'No. @vic cannot run rdp disconnect',
    );
    expect(await type('/appliance can bob emergency enable')).toContain('Yes. @bob can run emergency enable');
  });

  test('is chosen by the requester among several of that name', async () => {
    const { type, press } = await converse();
    await type('/appliance rdp sessions', 'carol');
    const said = await type('/appliance audit --by "carol lindqvist"', 'dana');
    expect(said).toContain('2 people are called carol lindqvist: which one do you mean?');
    expect(said).toContain('Carol Lindqvist (@carla)');
    expect(await press('Carol Lindqvist (@carol)', 'dana')).toContain('1 action by @carol in this channel');
  });

  test('is reported as unknown where nobody has that name, with the way to name them', async () => {
    const { type } = await converse();
    expect(await type('/appliance audit --by zed', 'dana')).toContain(
      'Nobody in this workspace is called zed. No changes were made. Type @ and choose the person.',
    );
    expect(await type('/appliance what did zed do today', 'dana')).toContain(
      'Nobody in this workspace is called zed.',
    );
  });

  test('is not called unknown where Slack did not list the people', async () => {
    const { type, workspace } = await converse();
    workspace.faults.next('users.list', { kind: 'error', error: 'internal_error' }, 5);
    expect(await type('/appliance audit --by bob', 'dana')).toContain(
      'Couldn’t look up bob: Slack didn’t list the people of this workspace. No changes were made. Type @ and choose the person.',
    );
  });

  test('is looked up once in ten minutes, and not for somebody without the right', async () => {
    const { type, workspace, wait } = await converse();
    expect(await type('/appliance audit --by bob', 'eve')).not.toContain('by @bob');
    expect(called(workspace, 'users.list')).toBe(0);
    await type('/appliance audit --by bob', 'dana');
    await type('/appliance can vic rdp disconnect 12', 'dana');
    await type('/appliance audit --by <@U0BOB00001>', 'dana');
    expect(called(workspace, 'users.list')).toBe(1);
    wait(10 * 60_000 + 1_000);
    await type('/appliance audit --by vic', 'dana');
    expect(called(workspace, 'users.list')).toBe(2);
  });
});

describe('a name in the policy', () => {
  const limitedTo = (by: string) => ({
    roles: { auditor: { summary: 'reads of one', commands: [{ phrase: 'audit', where: { by: [by] } }] } },
    channels: { C0HELPDESK: { appliance: 'hq', roles: { auditor: ['U0ALICE001'] } } },
  });

  test('is no value for a person: the name may be another person’s tomorrow', async () => {
    await expect(converse({ policy: limitedTo('bob') })).rejects.toThrow(/where\.by/);
  });

  test('limits a role by ID, however the person is named', async () => {
    const { type } = await converse({ policy: limitedTo('U0BOB00001') });
    expect(await type('/appliance audit --by bob')).toContain('No action by @bob in this channel');
    const said = await type('/appliance audit --by vic');
    expect(said).not.toContain('by @vic');
    expect(said).toContain('You may run');
  });
});
