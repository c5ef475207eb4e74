import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { policyTool } from '../cli/policy/policy.ts';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';

const example = 'appliance-bot.example.yml';
/** A Wednesday at 12:00 in Berlin, and the Saturday after it. */
const wednesday = Date.UTC(2026, 10, 25, 11);
const saturday = wednesday + 3 * 24 * 3_600_000;

async function run(words: readonly string[], environment = {}, at = wednesday) {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  return { code: await policyTool(words, { environment, write, complain: write, now: () => at }), text };
}

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'bot.yml'), text);
  return join(folder, 'bot.yml');
}

describe('check', () => {
  test('accepts the example, and names the secrets that it could not read here', async () => {
    const { code, text } = await run(['check', example]);
    expect(code).toBe(0);
    expect(text).toMatch(
      /^appliance-bot\.example\.yml is valid: 2 appliances, 3 channels, 4 people and 4 user groups by ID, 4 custom roles, 2 custom approvals\.\n/,
    );
    expect(text).toContain(
      'Not checked: appliance-bot.example.yml:23 appliances.hq.key refers to the environment variable HQ_WEB_API_KEY, which is not set.',
    );
  });

  test('names every mistake with its line, also words that only the commands know, and repeats no secret', async () => {
    const file = fileWith(
      `appliances: { hq: { url: http://x, key: hush-4711 } }
time_zone: Europe/Berln
approvals:
  - { commands: [{ phrase: rdp disconect }], by: aprover }
`,
    );
    const { code, text } = await run(['check', file]);
    expect(code).toBe(1);
    expect(text).toContain(`${file} has 4 errors.`);
    expect(text).toContain(`${file}:1 appliances.hq.key must be a reference`);
    expect(text).toContain(`${file}:2 time_zone is not an IANA time zone`);
    expect(text).toContain('Did you mean Europe/Berlin?');
    expect(text).toContain(
      `${file}:4 approvals.0.commands.0.phrase is not a command. Did you mean rdp disconnect?`,
    );
    expect(text).toContain('Did you mean approver?');
    expect(text).toContain('Example: ');
    expect(text).not.toContain('hush');
  });

  test('asks about valid settings that leave somebody with nothing', async () => {
    const file = fileWith(
      `appliances: { hq: { url: http://x, methods: { acl.compile: POST, sqldb.deleteDatabase: GET } } }
roles:
  cook: { summary: x, commands: [{ area: rdp, effect: unknown }, { effect: read }] }
approvals:
  - { commands: [{ phrase: rdp disconnect }], by: approver, count: 3 }
  - { commands: [{ area: ftp }], by: [viewer] }
channels:
  C0ONE: { appliance: hq, roles: { viewer: everyone, operator: [S0OPS], approver: [U01, U02] } }
  C0TWO: { appliance: hq, roles: { viewer: everyone, cook: [U01] }, only: [cook] }
  C0SIX: { appliance: hq, roles: { viewer: everyone }, only: [] }
`,
    );
    const { code, text } = await run(['check', file]);
    expect(code).toBe(0);
    expect(
      text
        .split('\n')
        .filter((line) => line.includes('Warning:'))
        .map((line) => line.replace(`  Warning: ${file}`, '')),
    ).toEqual([
      ' holders: nobody holds the admin role, so nobody is notified when this file is invalid.',
      ':1 appliances.hq.methods.sqldb.deleteDatabase: the documented method is POST. Set another only if this appliance answers HTTP 405.',
      ':3 roles.cook.commands.0: no command matches all of its conditions.',
      ':5 approvals.0: 3 people with the role approver must approve rdp disconnect, but no more than 2 have it in the channels where it can be requested, so it cannot run.',
      ':9 channels.C0TWO.roles.viewer: this role does not apply here, because it is not listed in only.',
      ':10 channels.C0SIX: nobody holds a role that applies here, so no command can run.',
    ]);
  });

  test('asks so about emergency mode, whose approval comes with the bot, too', async () => {
    const file = fileWith(
      'appliances: { hq: { url: http://x } }\nchannels: { C0ONE: { appliance: hq, roles: { admin: [U01] } } }\n',
    );
    expect((await run(['check', file])).text).toContain(
      `  Warning: ${file} approvals: 1 person with the role approver must approve emergency enable and emergency extend, but nobody has it in the channels where it can be requested, so it cannot run.\n`,
    );
  });

  test('takes one file', async () => {
    expect((await run(['check', example, example])).text).toMatch(/^Too many files/);
  });

  test('takes the file of the environment, and names obstacles', async () => {
    expect((await run(['check'], { APPLIANCE_BOT_CONFIG: example })).code).toBe(0);
    expect(await run(['check', '/nowhere.yml'])).toEqual({ code: 1, text: '/nowhere.yml does not exist.\n' });
    expect((await run(['check'])).text).toMatch(/^Missing policy file\./);
  });

  test('refuses a key that is so short that it occurs in other words, and does not repeat it', async () => {
    const file = fileWith(
      '{ appliances: { hq: { url: "http://127.0.0.1:1", key: "${HQ_KEY}" } }, channels: {} }',
    );
    const { code, text } = await run(['check', file], { HQ_KEY: '25299' });
    expect(code).toBe(1);
    expect(text).toContain('appliances.hq.key refers to a key of fewer than 8 characters');
    expect(text).not.toContain('25299');
  });

  describe('with --ask', () => {
    const asking = async (settings: Readonly<Record<string, unknown>>, key = 'k3y-of-hq') => {
      const appliance = await startSimulatedAppliance({ key: 'k3y-of-hq', generation: 'field-strict' });
      onTestFinished(() => appliance.close());
      const hq = { url: appliance.url, ...settings };
      const file = fileWith(JSON.stringify({ appliances: { hq }, channels: {} }));
      return { ...(await run(['check', '--ask', file], { HQ_KEY: key })), appliance };
    };
    const key = '${HQ_KEY}';

    test.each([
      [{ key, key_everywhere: true }, 'k3y-of-hq', 0, '✓ Web API: answers'],
      [{ key }, 'k3y-of-hq', 1, 'Set key_everywhere: true for it in the bot’s configuration.'],
      [{}, 'k3y-of-hq', 1, 'refuses the bot, which has no Web API key for it (HTTP 403). Set key in'],
      [{ key, key_everywhere: true }, 'wr0ng-key', 1, 'doesn’t accept the bot’s Web API key'],
    ])('names the missing setting of an appliance with %j', async (settings, its, code, says) => {
      const told = await asking(settings, its);
      expect(told.text).toContain(says);
      expect(told.code).toBe(code);
      expect(told.text).not.toContain('Mirror');
      expect(told.text).not.toContain(its);
    });

    test('asks no appliance whose secret is not set here', async () => {
      const { code, text } = await run([
        'check',
        '--ask',
        fileWith('{ appliances: { hq: { url: "http://127.0.0.1:1", key: "${NOT_SET}" } }, channels: {} }'),
      ]);
      expect(code).toBe(1);
      expect(text).toContain(
        'No appliance was contacted. Set the secrets that the file refers to, and try again.',
      );
    });
  });
});

describe('explain', () => {
  const explain = (line: string, more: readonly string[] = [], at?: number) =>
    run(
      ['explain', '--user', 'U0ALICE001', '--channel', 'C0HELPDESK', '--config', example, ...more, line],
      {},
      at,
    );
  const incident = ['--channel', 'C0INCIDENT', '--group', 'S0OPERATOR'];

  test('explains the meaning of a line, the permitted people, and the remedy, in the words of the chat', async () => {
    const { code, text } = await explain('rdp disconect 12');
    expect(code).toBe(1);
    expect(text).toContain('refused (unknown)');
    expect(text).toMatch(/Did you mean:\n.*rdp disconnect 12/);
    expect((await explain('move')).text).toMatch(/Commands that start with move:\n[\s\S]*category move /);
    const refused = await explain('/appliance disconnect rdp 12');
    expect(refused.code).toBe(1);
    expect(refused.text).toBe(`Line      disconnect rdp 12
Command   rdp disconnect <session>: shows a preview and asks for confirmation; Undo is not available
Where     C0HELPDESK (helpdesk)
Roles     viewer
Decision  refused (role_missing)
          rdp disconnect requires the helpdesk, operator or admin role in C0HELPDESK. Your role here is viewer. No changes were made. Ask S0HELPDESK, U0GUEST001, S0OPERATOR, U0BOB00001 or U0DANA0001 to run it.
`);
  });

  test('accepts user groups and the kind of person as options', async () => {
    const allowed = await explain('rdp disconnect 12', ['--group', 'S0HELPDESK', '--group', 'S0OTHER001']);
    expect(allowed.code).toBe(0);
    expect(allowed.text).toMatch(
      /Roles {5}viewer, helpdesk\nDecision {2}allowed by helpdesk\nRuns on {3}hq\nApproval {2}not needed/,
    );
    const guest = await explain('rdp disconnect 12', ['--group', 'S0HELPDESK', '--kind', 'guest']);
    expect(guest.text).toContain('refused (guest)');
    const named = await explain('rdp disconnect 12', ['--kind', 'guest', '--user', 'U0GUEST001']);
    expect(named.text).toContain('allowed by helpdesk');
  });

  test('knows limits of arguments, other appliances, and channels that are shared or not served', async () => {
    const editor = ['--group', 'S0NEWSDESK'];
    expect((await explain('category add example.com to 252', editor)).text).toContain(
      'allowed by news-editor',
    );
    expect((await explain('category add example.com to 253', editor)).text).toContain(
      'You may run category add only with category 252.',
    );
    const byName = await explain('category add example.com to News', editor);
    expect(byName.code).toBe(1);
    expect(byName.text).toContain(
      `Note      News: the decision depends on the object with this name, which only the appliance knows
Decision  depends on the object: allowed by news-editor, or refused (argument)
          You may run category add only with category 252.`,
    );
    expect((await explain('status --on branch')).text).toContain('refused (no_such_target)');
    expect((await explain('status --on all', incident)).text).toMatch(/Runs on {3}hq, branch\n/);
    const operator = ['--group', 'S0OPERATOR', '--shared'];
    expect((await explain('rdp disconnect 12', operator)).text).toContain('refused (shared_channel)');
    expect((await explain('status', ['--channel', 'C0NOWHERE'])).text).toContain(
      'refused (channel_not_served)',
    );
    expect((await explain('whoami', ['--channel', 'C0NOWHERE'])).text).toContain('allowed for everyone');
  });

  test('knows the required approval, its approvers, the hour, and the reason', async () => {
    const enable = (reason: string) =>
      explain(`emergency enable --for 30m --reason "${reason}"`, incident).then(({ text }) => text);
    expect(await enable('INC-1')).toMatch(
      /Approval {2}needed from 1 of approver \(S0APPROVER, not the requester\), within 15 min\n/,
    );
    expect(await enable('directory down')).toContain('refused (reason_wanted)');
    const hotfix = (at: number) => explain('upgrade hotfix', incident, at).then(({ text }) => text);
    expect(await hotfix(wednesday)).toMatch(
      /Decision {2}the bot asks for file in a form, and then refuses \(approval_not_possible\)\n/,
    );
    expect(await hotfix(wednesday + 8 * 3_600_000)).toContain('needed from 2 of approver or admin');
    expect(await hotfix(saturday)).toContain('Approval  not needed at this time\n');
    expect(await explain('emergency disable', incident).then(({ text }) => text)).toContain(
      'Approval  not needed\n',
    );
    const dana = ['--channel', 'C0INCIDENT', '--user', 'U0DANA0001'];
    const alone = await explain('emergency enable --for 30m --reason INC-1 --break-glass', dana);
    expect(alone.text).toContain('Approval  not needed: break-glass, every approver is notified\n');
    const dry = await explain('emergency enable --for 30m --reason INC-1 --dry-run', dana);
    expect(dry.text).toContain('Approval  needed from 1 of approver');
    const look = await explain('categorize example.com --dry-run', dana);
    expect(look.text).toContain('--dry-run is for commands that change something');
  });

  test('gives one answer for a line without an argument: a refusal, or a form', async () => {
    const decision = async (line: string, more: readonly string[] = []) => {
      const { code, text } = await explain(line, more);
      expect(text.match(/Missing/)).toBeNull();
      return `${code} ${/^Decision +(.*)$/m.exec(text)?.[1]}`;
    };
    expect(await decision('rdp disconnect')).toBe('1 refused (role_missing)');
    const helpdesk = ['--group', 'S0HELPDESK'];
    const asks = '0 allowed by helpdesk: the bot asks for session in a form';
    expect(await decision('rdp disconnect', helpdesk)).toBe(asks);
    // Its form asks for the reason, too.
    expect(await decision('emergency enable', incident)).toMatch(
      /^0 allowed by operator: the bot asks for for in a form$/,
    );
    expect(await decision('category add example.com', ['--group', 'S0NEWSDESK'])).toMatch(
      /^[01] .*the bot asks for category in a form/,
    );
  });

  test('requires a person, a place and a line', async () => {
    const complete = ['explain', '--config', example, '--user', 'U1', '--channel', 'C1', 'status'];
    for (const left of ['--user', '--channel', 'status']) {
      const at = complete.indexOf(left);
      const words = complete.toSpliced(at, left.startsWith('--') ? 2 : 1);
      expect(await run(words)).toMatchObject({
        code: 2,
        text: expect.stringMatching(/^Missing --user, --channel or the line/),
      });
    }
    expect((await run([...complete, '--kind', 'alien'])).text).toMatch(/^--kind takes one of member, guest,/);
    for (const [option, name] of [
      ['--user', 'alice'],
      ['--channel', 'helpdesk'],
      ['--group', 'operators'],
    ] as const) {
      const { code, text } = await run([...complete, option, name]);
      expect([code, text]).toEqual([2, expect.stringMatching(`^${option} takes the Slack ID`)]);
    }
    expect((await run(['-h'])).code).toBe(0);
    expect((await run([...complete, '--colour', 'red'])).text).toContain('--colour');
    expect((await run(['enforce'])).text).toMatch(/^Unknown command enforce\. Use check or explain\./);
  });

  test('names the mistake of a broken file', async () => {
    const file = fileWith('appliances: {}');
    const { code, text } = await explain('status', ['--config', file]);
    expect(code).toBe(1);
    expect(text).toContain(`${file}:1 appliances must list at least one appliance.`);
  });
});

test('the tool runs as npm runs it', () => {
  const { scripts }: { scripts: Readonly<Record<'policy', string>> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const told = execFileSync('sh', ['-c', `${scripts.policy} "$@"`, 'sh', 'check', example], {
    encoding: 'utf8',
  });
  expect(told).toContain('is valid');
});
