import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { auditTool } from '../cli/audit.ts';
import packageJson from '../package.json' with { type: 'json' };
import { converse } from './conversation.ts';
import { made } from './journals/lines.ts';

/** The journals that released versions left behind, as files. */
const versions = globSync(join(import.meta.dirname, 'journals/*.sqlite.gz')).map((file) => ({
  version: basename(file, '.sqlite.gz'),
  journal: gunzipSync(readFileSync(file)),
}));

const hour = 3_600_000;

test('the journal of every version is here, the present one among them', () => {
  expect(versions.map(({ version }) => version)).toEqual(
    expect.arrayContaining(['0.1.0', packageJson.version]),
  );
});

describe.each(versions)('the journal of $version', ({ journal }) => {
  test('is opened by this version, which goes on where it was: records, what is on for a time, and what is planned', async () => {
    const { type, bot } = await converse({ journal, from: made + hour });
    const audit = await type('/appliance audit --since 7d', 'dana');
    expect(audit).toMatch(/@bob +acl object disable google_sni on hq +✅ ACL object google_sni disabled/);
    expect(audit).toMatch(/@alice +acl object disable google_sni on hq +🚫/);
    expect(audit).toMatch(/@bob +rdp disconnect 12 on hq +✅/);
    expect(await type('/appliance temporary', 'bob')).toMatch(/former\.example\.net.*@bob/s);
    expect(await type('/appliance planned', 'bob')).toMatch(/1 planned change .*planned\.example\.net/s);
    await bot.idle();
  });

  test('has records whose chain is unbroken, before and after this version has written more', async () => {
    const { data, type, stopBot } = await converse({ journal, from: made + hour });
    await type('/appliance rdp sessions', 'bob');
    await type('/appliance audit', 'bob');
    await stopBot(0);
    let said = '';
    const write = async (text: string) => {
      said += text;
    };
    const environment = { APPLIANCE_BOT_DATA: data };
    const code = await auditTool(['verify'], { environment, write, complain: write, now: () => made + hour });
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/^OK: \d+ records, unchanged\./) });
    expect(Number(/\d+/.exec(said)?.[0])).toBeGreaterThanOrEqual(7);
  });
});
