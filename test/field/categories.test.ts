import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const query = 'GET /categories/query/{domain}';

/** A conversation whose appliance answers an operation in these words, and still carries out the order. */
async function conversation() {
  const all = await converse();
  return {
    ...all,
    ask: (line: string) => all.type(`/appliance ${line}`, 'bob'),
    says: (operation: string, body: object) =>
      all.appliance.faults.set(operation, { kind: 'text', text: JSON.stringify(body) }),
  };
}

describe('a domain', () => {
  test.each([
    [{ status: false, info: 'database is being rebuilt' }],
    [{ status: false, info: 'database is being rebuilt', Categories: null }],
    [{ Status: false, Info: '0 categories loaded, could not open the database', Categories: [] }],
    [{ status: false, info: 'database not found' }],
  ])('is not called uncategorized where the search itself was refused: %j', async (body) => {
    const { ask, says } = await conversation();
    says(query, body);
    const said = await ask('categorize example.org');
    expect(said).not.toContain('not categorized');
    expect(said).toContain(`hq refused: ${Object.values(body)[1]}`);
  });

  test.each([
    [{ status: false }],
    [{ status: false, info: '' }],
    [{ Status: false, Info: '0 categories', Error: '', Categories: null }],
    [{ Status: 'False', Info: 'Found 0 category(ies)' }],
    [{ status: false, info: 'example.org is not categorized' }],
    [{ status: false, info: 'No category found' }],
    [{ status: false, info: 'site not found' }],
    [{ status: true, info: '0 categories', categories: null }],
  ])('is called uncategorized where the answer shows it: %j', async (body) => {
    const { ask, says } = await conversation();
    says(query, body);
    expect(await ask('categorize example.org')).toContain('example.org is not categorized');
  });

  test.each([[{ status: true, info: '', categories: null }], [{ Status: true, Info: '', Categories: [] }]])(
    'is not called uncategorized by an empty list alone: %j',
    async (body) => {
      const { ask, says } = await conversation();
      says(query, body);
      expect(await ask('categorize example.org')).toContain(
        'hq lists no category of example.org, and does not say that there is none',
      );
    },
  );

  test('is named as not asked, beside those that were', async () => {
    const { ask, appliance } = await conversation();
    appliance.faults.set(query, {
      kind: 'refuse',
      error: 'database is being rebuilt',
      key: 'info',
      times: 1,
    });
    const said = await ask('categorize example.com example.org');
    expect(said).toContain('1 could not be asked');
    expect(said).toContain('could not be asked: refused, database is being rebuilt');
  });

  test("is shown with the names of its categories, which the field's appliance gives by ID", async () => {
    const { ask, appliance } = await conversation();
    appliance.turn({ generation: 'field-v1' });
    expect(await ask('categorize reddit.com')).toContain(
      'reddit.com is in 2 categories: forums and social_networks',
    );
    expect(await ask('categorize example.org')).toContain('example.org is not categorized');
    expect(await ask('categorize 10.20.0.2')).toMatch(/10\.20\.0\.2 is (?:in|not)/);
  });
});

test.each(['A', 'B'] as const)(
  'the list is read by ID, in the envelope or alone (%s)',
  async (categoryList) => {
    const { ask, appliance } = await conversation();
    appliance.turn({ generation: 'field-v1', categoryList });
    const said = await ask('category show 252');
    expect(said).toContain('Category shopping');
    expect(said).toContain('Online shops and auctions');
  },
);

describe('why', () => {
  test('names the part that could not be asked, and concludes nothing from it', async () => {
    const { ask, appliance } = await conversation();
    const refusal = { kind: 'refuse', error: 'database is being rebuilt', key: 'info' } as const;
    appliance.faults.set(query, refusal);
    const said = await ask('why odd-auction.example');
    expect(said).toContain('is blocked: the proxy refuses it (HTTP 403)');
    expect(said).not.toContain('no category');
    expect(said).toContain('its categories could not be checked, so the cause is unknown');
    expect(said).toContain('Not checked, so not part of this result: its categories.');
    expect(said).toMatch(/Categories +⚠ could not be asked: refused, database is being rebuilt/);
    appliance.faults.set('GET /proxy/acls/objects', refusal);
    appliance.faults.set('GET /proxy/acls/ssl/rules', refusal);
    const other = await ask('why own-certificate.example');
    expect(other).toContain('its categories, the ACL objects and the SSL rules');
    expect(other).toContain('Whether its traffic is decrypted could not be checked');
    expect(other).not.toContain('certificates that the proxy does not take');
  });
});

describe('a compile that was launched in background', () => {
  test.each(['category compile 252', 'filter compile'])('is reported as started: %s', async (line) => {
    const { ask, appliance, bot } = await conversation();
    appliance.turn({ generation: 'field-v1' });
    const said = await ask(line);
    expect(said).toMatch(/Compiling .*: started/);
    expect(said).toContain('Started, not verified: hq says that it continues in the background, and');
    expect(said).not.toMatch(/(?:is|are) compiled/);
    const [action] = await bot.journal.recent(1);
    expect(action).toMatchObject({ state: 'done', outcome: { code: 'accepted' } });
  });

  test('is reported as started, too, where the bot itself compiles a change', async () => {
    const { ask, appliance, read } = await conversation();
    appliance.turn({ generation: 'field-v1' });
    await ask('category add shop.example.net to 252');
    await expect.poll(() => read('bob')).toContain('Compile started');
    expect(read('bob')).toContain('hq compiles category shopping and the filtering rules in the background');
    expect(read('bob')).not.toMatch(/Live since|Compile accepted|Compiled|is live/);
    expect(await ask('pending')).toContain('hq has no changes from Appliance Bot waiting to be compiled');
    await ask('category add other.example.net to 252 --now');
    expect(read('bob')).not.toMatch(/Live since|Compile accepted|Compiled|is live/);
  });
});

describe('a site that the appliance stores in another spelling', () => {
  test('is looked up in both, and the answer says how it may be stored', async () => {
    const { ask, appliance } = await conversation();
    // A question to this one is answered to the letter.
    appliance.state.categories.all.get(252)?.sites.add('3405803785.addr');
    expect(await ask('category add 203.0.113.9 to 252')).toContain('is already in category shopping');
    appliance.turn({ generation: 'field-v1' });
    const said = await ask('category add www.fresh.example 203.0.113.10 to 252');
    expect(said).toContain('✅ 2 sites added to category shopping');
    expect(said).toContain(
      'Spelling: www.fresh.example may be stored as fresh.example and 203.0.113.10 may be stored as 3405803786.addr.',
    );
  });

  test('is named before it is dropped, as without a dot, and its outcome after', async () => {
    const { type, press, appliance } = await converse({ branches: 1 });
    appliance.turn({ generation: 'field-v1' });
    const card = await type('/appliance category add 2001:db8::1 fresh.example to 252 --on all', 'dana');
    expect(card).toContain('May be dropped  2001:db8::1: no dot');
    const said = await press('Add', 'dana');
    expect(said).toContain('1 of them is in shopping. Missing: 2001:db8::1');
  });
});
