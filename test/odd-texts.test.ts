import { expect, test } from 'vitest';
import { auditTool } from '../cli/audit.ts';
import { newPostgres } from './stores.ts';
import { withBob } from './with-bob.ts';

/** Characters that no database holds: a null character, and half of an emoji. */
const name = 'shop\0ping \ud83d';
const shown = 'shop\ufffdping \ufffd';

test.each(['SQLite', 'PostgreSQL'])(
  'a category whose name no database holds is shown, changed, found and verified like any other, on %s',
  async (store) => {
    const environment = store === 'SQLite' ? {} : { DATABASE_URL: await newPostgres() };
    const house = await withBob({ environment });
    const { ask, click, category, pass, data, sent, person, read } = house;
    Object.assign(category(252), { name });
    expect(await ask('category show 252')).toContain(shown);
    // Several with the same name, in the records of several moments.
    for (const site of ['one.example', 'two.example', 'three.example']) {
      expect(await ask(`category add ${site} to 252`)).toContain(`✅ ${site} added to category ${shown}`);
      await pass(2_000);
    }
    expect(await click('Undo')).toContain(`✅ three.example removed from category ${shown}`);
    expect(await ask('category move one.example to 207 from 252')).not.toContain('went wrong');
    // A name chosen in a form stands there as its known name.
    await ask('category add four.example');
    const bob = person('bob');
    if (bob.form() !== undefined) {
      await bob.fill({ Category: '252' });
      await bob.submit();
      expect(read('bob')).toContain('four.example');
    }
    const before = sent(/./).length;
    expect(await ask('category add five.example to "shop\ud83dping"')).toMatch(
      /is not a category.*text without broken characters/s,
    );
    expect(sent(/POST|PUT|DELETE/).filter(({ path }) => path.includes('five'))).toEqual([]);
    expect(sent(/./).length).toBe(before);
    await pass(2_000);
    expect(await ask(`audit --about "${shown}"`)).toMatch(/[3-9] actions\W+about/);
    let said = '';
    const write = async (text: string) => {
      said += text;
    };
    const terminal = {
      ...{ environment: { APPLIANCE_BOT_DATA: data, ...environment }, now: Date.now },
      ...{ write, complain: () => undefined },
    };
    expect(await auditTool(['verify'], terminal), said).toBe(0);
    expect(said).toMatch(/^OK: \d+ records, unchanged\.\nThe newest/);
    said = '';
    expect(await auditTool(['export', '--about', shown], terminal)).toBe(0);
    // The export can be loaded into another database.
    expect(said).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
  },
);
