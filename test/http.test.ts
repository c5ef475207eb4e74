import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { freePort } from './free-port.ts';

test('over HTTP, signed requests without a socket get the same answers', async () => {
  const port = await freePort();
  const { type, press, workspace } = await converse({
    workspace: { requestUrl: `http://127.0.0.1:${port}/slack/events` },
    environment: { SLACK_APP_TOKEN: '', PORT: String(port), HOST: '127.0.0.1' },
  });
  expect(await type('/appliance categorize example.com')).toContain('example.com is in 1 category: shopping');
  await type('/appliance rdp disconnect 12');
  expect(await press('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  expect(workspace.sockets.count).toBe(0);
});

test('over HTTP, forms, searches, shortcuts and the Home tab work, each acknowledged in time', async () => {
  const port = await freePort();
  const { type, person, read, workspace, bot } = await converse({
    workspace: { requestUrl: `http://127.0.0.1:${port}/slack/events` },
    environment: { SLACK_APP_TOKEN: '', PORT: String(port), HOST: '127.0.0.1' },
  });
  const dana = person('dana');
  await type('/appliance acl object disable', 'dana');
  // Finds its option by a search: block_suggestion, and then view_submission.
  await dana.fill({ 'ACL object': 'google_sni' });
  expect(await dana.submit()).toEqual({ ok: true });
  expect(read('dana')).toContain('ACL object google_sni disabled');

  await dana.type('helpdesk', 'Is https://example.com/ blocked?');
  expect(await dana.shortcut('helpdesk', 'Look up links')).toEqual({ ok: true });
  expect(read('dana')).toContain('example.com is in 1 category: shopping');

  await workspace.act({ act: 'open_home', as: 'U0VIC00001' });
  await bot.idle();
  expect(JSON.stringify(workspace.snapshot('U0VIC00001').home?.blocks)).toContain('Run a command');

  await type('/appliance why', 'dana');
  await dana.fill({ Domain: 'not!a!domain' });
  await dana.submit();
  expect(dana.form()?.errors).toEqual({ Domain: 'not!a!domain is not a domain.' });

  expect(workspace.sockets.count).toBe(0);
  const taken = workspace.log.envelopes();
  expect(new Set(taken.map(({ what }) => what))).toEqual(
    new Set(['slash_commands', 'block_suggestion', 'view_submission', 'message_action', 'app_home_opened']),
  );
  expect(taken.filter(({ ackedAt, late }) => ackedAt === undefined || late === true)).toEqual([]);
});
