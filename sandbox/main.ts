import { type CommandLine, readCommandLine, world } from './command-line.ts';
import { perform, type Script } from './exec.ts';
import { startSandbox } from './sandbox.ts';
import { pageAssets } from './workspace/page/bundle.ts';

const usage = `npm run sandbox                       starts everything and prints the address of its page
npm run sandbox -- exec "LINE"        types one line and prints the conversation

  --as NAME          who types: alice, bob, carol, dana, vic, gus, carla or eve (alice)
  --in CHANNEL       where: helpdesk, incident, random or partners (helpdesk)
  --click LABEL      then presses a button; repeatable, in order, each may be followed by its own --as
  --appliance URL    uses a real appliance; its Web API key, if it asks for one, is read from APPLIANCE_KEY
  --port PORT        the port of the page (a free one)
`;

async function openPage(given: CommandLine): Promise<void> {
  const { appliance, port } = given;
  const sandbox = await startSandbox({
    workspace: { port, page: pageAssets() },
    ...world(given),
  });
  const { workspace, stop } = sandbox;
  const simulated = [...(sandbox.appliance ? [['hq', sandbox.appliance] as const] : []), ...sandbox.branches]
    .map(([name, { url }]) => `\n  Simulated ${`${name}:`.padEnd(14)}${url}/_simulator`)
    .join('');
  process.stdout.write(`
  Appliance Bot sandbox:  ${workspace.url}${simulated}

  Try, in #helpdesk:
    /appliance categorize example.com
    /appliance rdp disconnect 12
    /appliance help

  Ctrl+C ends it. Nothing leaves this machine${appliance === undefined ? '' : `, except calls to ${appliance}`}.
`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(0)));
  }
}

async function runScript(script: Script, given: CommandLine): Promise<void> {
  const { conversation, succeeded, note } = await perform(script, world(given));
  process.stdout.write(`${conversation}\n`);
  if (note !== undefined) process.stderr.write(`${note}\n`);
  process.exitCode = succeeded ? 0 : 1;
}

try {
  const given = readCommandLine(process.argv.slice(2));
  await (given.script === undefined ? openPage(given) : runScript(given.script, given));
} catch (error) {
  // A wrong option, a name nobody has, a port that is taken: what is wrong, and how it is done.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof TypeError) process.stderr.write(`\n${usage}`);
  process.exitCode = 2;
}
