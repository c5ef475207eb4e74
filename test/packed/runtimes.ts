import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { projectWith } from './project.ts';

/**
 * Runs a program with the packed client and the packed simulated appliance on other runtimes:
 * `node test/packed/runtimes.ts /path/to/node26 bun "deno run -A"`. They are too large to be installed with everything else.
 * The client calls an appliance that runs on Node, and two on its own runtime.
 */
const program = `
import { connectAppliance } from 'appliance-client';
import { startSimulatedAppliance } from 'simulated-appliance';

async function calls(url, ca) {
  const appliance = connectAppliance({ name: 'lab', url, key: 'web-api-key', ...(ca && { tls: { ca } }) });
  const sessions = await appliance.rdp.listSessions();
  await appliance.categories.addSite({ id: 260, site: 'shop.example.net' });
  const { categories } = await appliance.categories.query({ domain: 'shop.example.net' });
  await appliance.directory.uploadHotfix({ file: { name: 'hotfix-20261120-01.tgz', bytes: new Uint8Array(300_000) } });
  await appliance.close();
  return [sessions.length, ...categories.map(({ id }) => id)].join(' ');
}

const own = await startSimulatedAppliance({ key: 'web-api-key' });
const behindTls = await startSimulatedAppliance({ key: 'web-api-key', https: true });
console.log(await calls(process.env.APPLIANCE_URL));
console.log(await calls(own.url));
console.log(await calls(behindTls.url, behindTls.certificate));
own.faults.set('GET /rdpproxy/sessions', { kind: 'reset' });
console.log(await calls(own.url).catch(({ code }) => code));
await own.close();
await behindTls.close();
`;

const run = promisify(execFile);
const project = await projectWith('appliance-client', 'simulated-appliance');
writeFileSync(join(project.folder, 'program.js'), program);
for (const command of process.argv.slice(2)) {
  const simulated = await startSimulatedAppliance({ key: 'web-api-key' });
  const [runtime = '', ...words] = command.split(' ');
  const told = await run(runtime, [...words, 'program.js'], {
    cwd: project.folder,
    env: { ...process.env, APPLIANCE_URL: simulated.url },
    timeout: 30_000,
  }).then(
    ({ stdout }) => stdout.trim(),
    (error: Error) => error.message,
  );
  const works = told === '15 260\n15 260\n15 260\nconnection_lost';
  process.stdout.write(`${command}: ${works ? 'works' : told}\n`);
  if (!works) process.exitCode = 1;
  await simulated.close();
}
project.remove();
