import { describe, expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';

/** Requests to the Web API. The release is asked elsewhere and is not counted here. */
const askedOf = ({ requests }: Conversation['appliance']) =>
  requests.filter(({ service }) => service === 'web').map(({ path }) => path);

describe('categorize', () => {
  test('answers in one message where it is short, with the details below the headline', async () => {
    const { type } = await converse();
    expect(await type('/appliance categorize example.com')).toBe(`#helpdesk

appliance-bot
  example.com is in 1 category: shopping
  Category  ID   DNS firewall
  ───────────────────────────
  shopping  252  off
  @alice  ·  \`/appliance categorize example.com\`  ·  on hq`);
  });

  test('says "not categorized" as an answer and not as an error', async () => {
    const { type, bot } = await converse();
    expect(await type('/appliance categorize example.org')).toContain('example.org is not categorized');
    expect((await bot.journal.recent())[0]).toMatchObject({ state: 'done', outcome: { code: 'answered' } });
  });

  test('puts several domains into one table', async () => {
    const { type } = await converse();
    const said = await type('/appliance categorize example.com, example.org');
    expect(said).toContain('1 of 2 domains categorized');
    expect(said).toMatch(/example\.com\s+shopping \(252\)/);
    expect(said).toMatch(/example\.org\s+not categorized/);
  });

  test.each(['category of example.com', 'lookup example.com', 'CATEGORIZE Example.COM'])(
    'is also reached by "%s"',
    async (line) => {
      const { type } = await converse();
      expect(await type(`/appliance ${line}`)).toContain('example.com is in 1 category: shopping');
    },
  );

  test.each([
    ['a whole URL', 'https://example.com/path?q=1#top'],
    ['a defanged URL', 'hxxps://example[.]com/login'],
    ['a defanged name', 'example[.]com'],
    ['typographic quotes', '“example.com”'],
    ['upper case', 'EXAMPLE.COM'],
    ['a port', 'example.com:8443'],
    ['a trailing dot', 'example.com.'],
    ['a mark after it', 'example.com!'],
    ['brackets around it', '(example.com)'],
    ['a wildcard', '*.example.com'],
    ['a mail address', 'bob@example.com'],
    ['back-ticks', '`example.com`'],
    ['an invisible mark pasted along', '\u200bexample.com\u200e'],
  ])('understands %s', async (_, typed) => {
    const { type, appliance } = await converse();
    expect(await type(`/appliance categorize ${typed}`)).toContain('example.com is in 1 category: shopping');
    expect(askedOf(appliance)).toEqual(['/categories/query/example.com']);
  });

  test('asks for an internationalised name in ASCII and shows both', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance categorize Bücher.example')).toContain(
      'bücher.example (xn--bcher-kva.example) is not categorized',
    );
    expect(askedOf(appliance)).toEqual(['/categories/query/xn--bcher-kva.example']);
  });

  test.each([
    '/appliance categorize example.com',
    '`/appliance categorize example.com`',
    '"categorize example.com"',
  ])('understands a whole line pasted after the command: %s', async (line) => {
    const { type } = await converse();
    expect(await type(`/appliance ${line}`)).toContain('example.com is in 1 category: shopping');
  });

  test('names its limit when it gets more domains, and asks about none', async () => {
    const { type, appliance } = await converse();
    const domains = Array.from({ length: 60 }, (_, index) => `d${index}.example`);
    const said = await type(`/appliance categorize ${domains.join(' ')}`);
    expect(said).toContain(
      'categorize takes at most 50 at once, and these are 60. No changes were made. Ask for them in several lines.',
    );
    expect(appliance.requests).toEqual([]);
  });

  test('names the one of several that could not be asked, and answers the others', async () => {
    const { type, appliance } = await converse();
    appliance.faults.set('GET /categories/query/{domain}', { kind: 'refuse', error: 'busy', times: 1 });
    const said = await type('/appliance categorize example.com reddit.com');
    expect(said).toContain('1 of 2 domains categorized, 1 could not be asked');
    expect(said).toMatch(/could not be asked: refused, busy/);
  });

  test('explains a domain’s form when it gets something else', async () => {
    const { type, appliance } = await converse();
    const said = await type('/appliance categorize foo');
    expect(said).toContain('(only visible to alice)');
    expect(said).toContain('foo is not a domain. No changes were made.');
    expect(said).toContain('/appliance categorize example.com');
    expect(appliance.requests).toEqual([]);
  });

  test('shows the channel that it waits for a slow appliance, and puts the answer in that place', async () => {
    const { type, appliance, workspace } = await converse();
    appliance.faults.set('GET /categories/query/{domain}', { kind: 'slow', ms: 3_000 });
    const seen: string[] = [];
    workspace.onChange((change) => {
      if (change.type === 'message') seen.push(change.message.text);
    });
    const said = await type('/appliance categorize example.com');
    expect(seen[0]).toMatch(/^:hourglass_flowing_sand: Still waiting for hq to answer…/);
    expect(said).toContain('example.com is in 1 category: shopping');
    expect(said).not.toContain('Still waiting');
  });
});
