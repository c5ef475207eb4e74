import { expect, test } from 'vitest';
import { asking, blockedSite, newest } from './asking.ts';
import { filledIn, formIn, pageVisitor } from './block-page-visitor.ts';
import { converse } from './conversation.ts';
import { newPostgres } from './stores.ts';

/** Erika, who has no Slack account, in a browser behind the proxy. */
async function blocked(
  settings: Readonly<Record<string, unknown>> = {},
  options: Readonly<Record<string, unknown>> = {},
) {
  const house = await asking(settings, {}, { blockPage: true, ...options });
  const { behindProxy } = house;
  if (behindProxy === undefined) throw new Error('The sandbox has a block page');
  const [port = 0, other = 0] = behindProxy.ports;
  const { call } = pageVisitor(port);
  const browse = async (site = blockedSite) => (await fetch(`${behindProxy.url}/?site=${site}`)).text();
  return {
    ...house,
    call,
    browse,
    other: pageVisitor(other),
    /** Opens the link of the block page. */
    open: async (site = blockedSite) => {
      const link = /href="([^"]+)"[^>]*>Ask for access/.exec(await browse(site))?.[1] ?? '';
      const { pathname, search } = new URL(link.replaceAll('&#38;', '&'));
      return call('GET', pathname + search);
    },
    /** Sends the form, and resolves to the address of the request's page. */
    send: async (text: string, more: Readonly<Record<string, string>> = {}) => {
      const sent = await call(
        'POST',
        '/ask',
        filledIn(formIn(text), { site: blockedSite, name: 'Erika Schmidt', user: 'erika.schmidt', ...more }),
      );
      // Where the look takes long, the page stands before those who decide have a card.
      await house.bot.idle();
      return String(sent.headers.location);
    },
    /** The headline of a request's page. */
    headline: async (page: string) => /<h1[^>]*>([^<]*)</.exec((await call('GET', page)).text)?.[1],
  };
}

test('somebody without Slack asks from a block page, is allowed the site for two hours, sees that it works, and that it ends', async () => {
  const { browse, open, send, headline, read, press, soon, call, isAllowed, pass } = await blocked();
  expect(await browse()).toContain(`${blockedSite} is blocked`);
  const form = await open();
  expect(form.text).toContain(`value="${blockedSite}"`);
  const page = await send(form.text);
  expect(await headline(page)).toBe('Your request was sent');
  const card = newest(read('bob'));
  expect(card).toContain('from the block page, by somebody not verified, who says “Erika Schmidt”');
  expect(card).toContain('user “erika.schmidt”');
  expect(card).toContain('customer call');

  await press('Approve', 'bob');
  await soon();
  expect(isAllowed()).toBe(true);
  expect(await headline(page)).toBe('Allowed');
  expect((await call('GET', page)).text).toMatch(/You can open live-betting\.example until/);
  expect(await browse()).toContain(`${blockedSite} opens`);

  await pass(2 * 60 * 60_000);
  const soonAfter = async () => {
    await soon();
    return headline(page);
  };
  await expect.poll(soonAfter).toBe('No longer allowed');
  expect(await browse()).toContain(`${blockedSite} is blocked`);
});

test('a denied visitor reads the reason, and not the name of the decider; a site that is not blocked asks nobody', async () => {
  const { open, send, call, headline, person, read, bot } = await blocked();
  const page = await send((await open()).text);
  const bob = person('bob');
  await bob.press('helpdesk', 'Deny…');
  await bob.fill({ Reason: 'Not for work <!channel>' });
  expect(await bob.submit()).toEqual({ ok: true });
  await bot.idle();
  expect(await headline(page)).toBe('Not allowed');
  const { text } = await call('GET', page);
  expect(text).toContain('Reason: Not for work &#60;!channel&#62;');
  expect(text).not.toMatch(/U0BOB|bob/i);

  const free = await send((await open()).text, { site: 'example.com' });
  expect(await headline(free)).toBe('This website is not blocked');
  expect(read('bob')).not.toContain('example.com');
});

test('a site that the policy lets nobody ask for is refused on the page, and nobody is called', async () => {
  const { open, send, headline, read } = await blocked({ not: ['phishing'], longest: '1h' });
  const form = await open();
  expect(form.text.match(/<option[^>]*>[^<]*/g)).toEqual(['<option value="30m" selected>30 minutes']);
  const page = await send(form.text, { site: 'paypa1-login.example', lasts: '30m' });
  expect(await headline(page)).toBe('This website cannot be requested');
  expect(read('bob')).not.toContain('paypa1');
});

test('a visitor with as many open requests as allowed is told so on the page, whatever else they enter', async () => {
  const { open, call, send, read } = await blocked({ per_person: { open: 1 } });
  await send((await open()).text);
  const again = async (more: Readonly<Record<string, string>>) =>
    call('POST', '/ask', filledIn(formIn((await open('bwin.com')).text), { site: 'bwin.com', ...more }));
  for (const name of ['Erika Schmidt', 'Somebody Else']) {
    const { status, text } = await again({ name, user: 'erika.schmidt' });
    expect([status, text.includes('You have already requested several websites')]).toEqual([429, true]);
  }
  expect(read('bob')).not.toContain('bwin.com');
});

test('a link, a form and a page outlive a restart, and a form that is sent again afterwards is the same request', async () => {
  const { open, call, headline, restart, read, bot } = await blocked();
  const form = filledIn(formIn((await open()).text), { site: blockedSite });
  const first = String((await call('POST', '/ask', form)).headers.location);
  await bot.idle();
  await restart();
  expect(await headline(first)).toBe('Your request was sent');
  expect((await call('POST', '/ask', form)).headers.location).toBe(first);
  expect(read('bob').match(/is asked for from the block page/g)).toHaveLength(1);
});

test('a form that is sent again with another website is another request, and internal addresses are not probed', async () => {
  const { open, send, call, headline, appliance } = await blocked();
  const { text } = await open();
  const first = await send(text);
  expect(await send(text)).toBe(first);
  const other = await send(text, { site: 'bwin.com' });
  expect(other).not.toBe(first);
  expect((await call('GET', other)).text).toContain('<dd>bwin.com</dd>');
  const before = appliance.requests.length;
  const sent = await call('POST', '/ask', filledIn(formIn(text), { site: 'http://10.0.0.1/' }));
  expect(sent.text).toContain('Only websites on the Internet can be requested.');
  expect(appliance.requests.length).toBe(before);
  expect(await headline(await send(text, { site: 'wiki.intranet.example' }))).toBe(
    'No such website was found',
  );
});

test('without self-service in the policy, links open nothing, and earlier requests can still be seen', async () => {
  const { behindProxy } = await converse({ blockPage: true, policy: { self_service: undefined } });
  const { call } = pageVisitor(behindProxy?.ports[0] ?? 0);
  const browsed = await (await fetch(`${behindProxy?.url}/?site=${blockedSite}`)).text();
  const link = /href="http:\/\/[^/]+([^"]+)"[^>]*>Ask for access/.exec(browsed)?.[1] ?? '';
  const { status, text } = await call('GET', link.replaceAll('&#38;', '&'));
  expect([status, text.includes('This link no longer works')]).toEqual([403, true]);
});

test('text from the block page is plain text in Slack: no mention, no link, no formatting', async () => {
  const { open, send, workspace } = await blocked();
  await send((await open()).text, {
    name: '<!channel> *bold* <https://evil.example|wiki>',
    reason: '<@U0BOB00001> `code` <!here>\n> quote',
    user: '<!everyone>\u202egnp',
  });
  const { messages } = workspace.snapshot('U0BOB00001');
  const [card] = messages.filter(({ channel }) => channel === 'C0HELPDESK');
  // All that Slack reads as mrkdwn; in rich text, a mention or a link would be an element of its own.
  const fields = JSON.stringify(card?.blocks).match(/\{"type":"mrkdwn"[^}]*/g) ?? [];
  const read = [card?.text, ...fields].join('\n');
  expect(read).toContain('bold');
  // Its line is asked in the bot's own name.
  expect(read).not.toMatch(/<!(?:channel|here|everyone)|<@(?!U0THEAPP01>)|<https|\u202e/);
  expect(JSON.stringify(card?.blocks)).not.toMatch(/"type":"(?:user|broadcast|link)"/);
});

test('two replicas show each other’s forms and pages, and together open one request', async () => {
  const { open, send, other, read, headline } = await blocked(
    {},
    {
      replicas: 2,
      environment: { DATABASE_URL: await newPostgres() },
    },
  );
  const { text } = await open();
  const page = await send(text);
  expect(await headline(page)).toBe('Your request was sent');
  const there = await other.call('GET', page);
  expect(there.text).toContain('Your request was sent');
  const again = await other.call('POST', '/ask', filledIn(formIn(text), { site: blockedSite }));
  expect(again.headers.location).toMatch(/\?joined$/);
  expect(read('bob').match(/is asked for from the block page/g)).toHaveLength(1);
});
