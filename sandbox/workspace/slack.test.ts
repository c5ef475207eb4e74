import { describe, expect, test } from 'vitest';
import { alice, bob, client, helpdesk, start } from './testing.ts';
import type { Workspace } from './workspace.ts';

/** Asks for it as a program would, over HTTP. */
async function ask(workspace: Workspace, act: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(act);
  const answer = await fetch(`${workspace.url}/sandbox/slack`, { method: 'POST', headers, body });
  return answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.status;
}

const code = (refused: Promise<unknown>) =>
  refused.then(
    () => 'ok',
    (error: { code: string; data?: { error: string }; statusCode?: number }) =>
      error.data?.error ?? error.statusCode ?? error.code,
  );
const hello = { channel: helpdesk, text: 'hello' };

describe('a bad day requested over HTTP', () => {
  test('can hit one method, for so many calls', async () => {
    const workspace = await start();
    const slack = client(workspace);
    const fault = { kind: 'error', error: 'fatal_error' };
    expect(await ask(workspace, { act: 'misbehave', call: 'chat.postMessage', fault, times: 2 })).toEqual({
      ok: true,
    });
    const codes = [1, 2, 3].map(() => () => code(slack.chat.postMessage(hello)));
    const said: unknown[] = [];
    for (const post of codes) said.push(await post());
    expect(said).toEqual(['fatal_error', 'fatal_error', 'ok']);
  });

  test('can hit every call about one person, by whatever ID', async () => {
    const workspace = await start();
    const slack = client(workspace);
    const fault = { kind: 'error', error: 'internal_error' };
    await ask(workspace, { act: 'misbehave', call: '*', fault, person: 'alice' });
    const private_ = (user: string) => slack.chat.postEphemeral({ ...hello, user });
    expect(await code(private_(alice))).toBe('internal_error');
    expect(await code(slack.users.info({ user: alice }))).toBe('internal_error');
    expect(await code(slack.chat.postMessage({ text: 'hi', channel: workspace.direct(alice).id }))).toBe(
      'internal_error',
    );
    expect(await code(private_(bob))).toBe('ok');
    expect(await code(slack.chat.postMessage(hello))).toBe('ok');
    await ask(workspace, { act: 'behave' });
    expect(await code(private_(alice))).toBe('ok');
  });

  test('can be another plan, a revoked token, a missing scope or an older kind of block', async () => {
    const workspace = await start();
    const slack = client(workspace);
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] } as const;
    const drawn = () => code(slack.chat.postMessage({ ...hello, blocks: [table] }));
    expect(await drawn()).toBe('ok');
    await ask(workspace, { act: 'turn', switches: { plan: 'free', blocks: 'classic' } });
    expect(await code(slack.usergroups.list())).toBe('plan_upgrade_required');
    expect(await drawn()).toBe('invalid_blocks');
    await ask(workspace, { act: 'grant', scope: 'users:read', granted: false });
    expect(await code(slack.users.info({ user: bob }))).toBe('missing_scope');
    await ask(workspace, { act: 'turn', switches: { botToken: 'revoked' } });
    expect(await code(slack.chat.postMessage(hello))).toBe('token_revoked');
    await ask(workspace, { act: 'reset' });
    expect(await drawn()).toBe('ok');
    expect(await code(slack.usergroups.list())).toBe('ok');
  });

  test('can hit Slack’s deliveries to the app', async () => {
    const workspace = await start();
    await ask(workspace, { act: 'deliver', fault: { kind: 'lost' }, times: 2 });
    expect(workspace.faults.deliveries()).toMatchObject([{ fault: { kind: 'lost' }, times: 2 }]);
    expect(workspace.faults.takeDelivery()).toEqual({ kind: 'lost' });
    await ask(workspace, { act: 'behave', call: 'delivery' });
    expect(workspace.faults.takeDelivery()).toBeUndefined();
  });

  test.each([
    [
      { act: 'misbehave', call: 'chat.postMesage', fault: { kind: 'hang' } },
      /did you mean chat\.postMessage\?/,
    ],
    [
      { act: 'misbehave', call: '*', fault: { kind: 'http', status: 200 } },
      /is no fault; there are .*http with status/,
    ],
    [
      { act: 'misbehave', call: '*', fault: { kind: 'hang' }, person: 'nobody' },
      /Nobody here is called nobody/,
    ],
    [{ act: 'deliver', fault: { kind: 'thrice' } }, /is no fault; there are twice, lost, late with ms/],
    [{ act: 'turn', switches: { plan: 'gold' } }, /plan is one of paid, free/],
    [{ act: 'turn', switches: { weather: 'fine' } }, /There is no switch weather/],
    [{ act: 'grant', scope: 'admin', granted: true }, /The manifest has no scope admin/],
    [{ act: 'connections', how: 'cut', id: 'none' }, /There is no connection none/],
  ])('is refused with a hint when it makes no sense: %j', async (act, words) => {
    const workspace = await start();
    expect(await ask(workspace, act)).toEqual({ ok: false, error: expect.stringMatching(words) });
    expect(workspace.faults.active()).toEqual([]);
  });

  test('is an HTTP error when it is no act at all', async () => {
    expect(await ask(await start(), { act: 'explode' })).toBe(400);
  });
});
