import { expect, test } from 'vitest';
import { asking, blockedSite } from '../asking.ts';
import { filledIn, formIn, pageVisitor } from '../block-page-visitor.ts';

test('the page of a request says that it did not arrive when the bot ends during its check, and it can be sent again', async () => {
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
  expect((await call('GET', page)).text).toContain('First, the bot checks');
  await restart();
  const now = async () => {
    await soon();
    return (await call('GET', page)).text;
  };
  await expect.poll(now).toContain('Your request did not arrive');
  expect(read('bob')).not.toContain('is asked for from the block page');
  const again = await call('POST', '/ask', filledIn(form, { site: blockedSite }));
  expect((await call('GET', String(again.headers.location))).text).toContain(
    'The people who may decide have until',
  );
  expect(read('bob').match(/is asked for from the block page/g)).toHaveLength(1);
});
