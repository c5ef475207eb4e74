import { expect, test } from 'vitest';
import { asking, blockedSite } from '../asking.ts';
import { filledIn, formIn, pageVisitor } from '../block-page-visitor.ts';

test('a request from a block page goes on where the bot ends while it is being checked, and its page with it', async () => {
  const { behindProxy, appliance, restart, read, soon } = await asking(
    {},
    {},
    { blockPage: true, world: { timeout: 0 } },
  );
  const { call } = pageVisitor(behindProxy?.ports[0] ?? 0);
  const browsed = await (await fetch(`${behindProxy?.url}/?site=${blockedSite}`)).text();
  const link = /href="http:\/\/[^/]+([^"]+)"[^>]*>Ask for access/.exec(browsed)?.[1] ?? '';
  const form = formIn((await call('GET', link.replaceAll('&#38;', '&'))).text);
  appliance.faults.set('GET /analyze/website/direct/{domain}', { kind: 'slow', ms: 6_000, times: 1 });
  const sent = await call('POST', '/ask', filledIn(form, { site: blockedSite }));
  const page = String(sent.headers.location);
  expect((await call('GET', page)).text).toContain('First it is checked');
  await restart();
  const now = async () => {
    await soon();
    return (await call('GET', page)).text;
  };
  await expect.poll(now).toContain('It waits for somebody who may decide it');
  expect(read('bob').match(/is asked for from the block page/g)).toHaveLength(1);
});
