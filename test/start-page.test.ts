import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { policyTool } from '../cli/policy/policy.ts';
import { machine } from '../sandbox/machine.ts';
import { program } from '../sandbox/process.ts';
import { converse } from './conversation.ts';

/** docs/start.md, done as it is written. */
const page = readFileSync('docs/start.md', 'utf8');
const [, look = '', own = ''] = page.split(/^## /m);

test('the sandbox answers the lines of the page, as the page says', async () => {
  const steps = [...look.slice(look.indexOf('\n')).matchAll(/^\d\. .*(?:\n {3}.*)*/gm)].map(([step]) =>
    step.replace(/\s+/g, ' '),
  );
  expect(steps).toHaveLength(6);
  const house = await converse();
  for (const step of steps) {
    const who = step.includes('Bob types') ? 'bob' : step.includes('Switch to Carol') ? 'carol' : 'alice';
    for (const [, line, button, seen = ''] of step.matchAll(
      /ypes? `([^`]+)`|Press \*\*([^*]+)\*\*|“([^”]+)”/g,
    )) {
      if (line !== undefined) await house.type(line, who);
      else if (button !== undefined) await house.press(button, who);
      else await expect.poll(() => house.read(who)).toContain(seen);
    }
  }
});

describe('with a policy of one’s own', () => {
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(own) ?? [];

  test('the check of the page’s file has nothing to warn of', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-start-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, 'appliance-bot.yml');
    writeFileSync(config, yaml);
    let said = '';
    const write = (text: string) => {
      said += text;
    };
    await policyTool(['check', config], { environment: {}, write, complain: write, now: Date.now });
    expect(said).toMatch(/^\S+ is valid: [^\n]*\n$/);
  });

  /** Starts, as the page says, a script in a terminal of its own, on a free port; resolves to its output. */
  async function open(script: 'sandbox:appliance' | 'sandbox:workspace'): Promise<string> {
    expect(own).toContain(`npm run ${script} -- --port `);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [, file = ''] = /node (\S+)/.exec(scripts[script]) ?? [];
    return said(start([file, '--port', '0'], {}), /Ctrl\+C ends it/);
  }

  test('the built bot answers on the workspace that was started alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-start-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [appliance, workspace] = await Promise.all([open('sandbox:appliance'), open('sandbox:workspace')]);
    const config = join(folder, 'appliance-bot.yml');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(appliance) ?? [];
    writeFileSync(config, yaml.replace('http://127.0.0.1:9503', url));
    const exported = Object.fromEntries(
      [...workspace.matchAll(/^ *export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    expect(Object.keys(exported)).toHaveLength(3);
    const data = { APPLIANCE_BOT_CONFIG: config, APPLIANCE_BOT_DATA: join(folder, 'data') };
    await said(start([program], { ...exported, ...data }), /Appliance Bot is connected/);

    const [, line = ''] = /type `(\/appliance categorize [^`]+)`/.exec(own) ?? [];
    const api = exported.SLACK_API_URL ?? '';
    const typed = { act: 'type', as: 'U0ALICE001', channel: 'C0HELPDESK', text: line };
    await post(new URL('/sandbox/act', api), JSON.stringify(typed), { 'content-type': 'application/json' });
    const authorization = `Bearer ${exported.SLACK_BOT_TOKEN}`;
    await expect
      .poll(() =>
        post(new URL('conversations.history', api), new URLSearchParams({ channel: 'C0HELPDESK' }), {
          authorization,
        }),
      )
      .toContain('is in 1 category');
  });

  test('a workspace that cannot start says why, with the remedy', async () => {
    const child = start(['sandbox/workspace/main.ts', '--port', 'x'], {});
    expect(await said(child, /--port PORT/, 'stderr')).toContain('--port x is not a port number.');
  });
});

function start(words: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, words, { env: { ...machine(), ...environment } });
  onTestFinished(async () => {
    if (child.exitCode !== null || !child.kill('SIGKILL')) return;
    await once(child, 'exit');
  });
  return child;
}

/** The output up to the awaited text; rejects when it ends before. */
function said(child: ChildProcess, until: RegExp, where: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  child[where]?.on('data', (chunk) => {
    text += chunk;
    if (until.test(text)) resolve(text);
  });
  child.once('close', () => reject(new Error(`It ended after: ${text}`)));
  return promise;
}

async function post(
  url: URL,
  body: string | URLSearchParams,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body, headers });
  return answer.text();
}
