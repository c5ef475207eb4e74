import { parseArgs } from 'node:util';
import { perform, type Script } from './exec.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';
import { pageAssets } from './workspace/page/bundle.ts';

const usage = `npm run sandbox                       starts everything and prints the address of its page
npm run sandbox -- exec "LINE"        types one line and prints the conversation

  --as NAME          who types: alice, bob, carol, dana, vic, gus, carla or eve (alice)
  --in CHANNEL       where: helpdesk, incident, random or partners (helpdesk)
  --click LABEL      then presses a button; repeatable, in order, each may be followed by its own --as
  --appliance URL    uses a real appliance; its Web API key, if it asks for one, is read from APPLIANCE_KEY
  --port PORT        the port of the page (a free one)
`;

interface Request {
  readonly script: Script | undefined;
  readonly appliance: string | undefined;
  readonly port: number;
}

function readRequest(given: readonly string[]): Request {
  const { tokens, values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    tokens: true,
    options: {
      as: { type: 'string', multiple: true },
      in: { type: 'string', default: 'helpdesk' },
      click: { type: 'string', multiple: true },
      appliance: { type: 'string' },
      port: { type: 'string', default: '0' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`--port ${values.port} is not a port number.`);
  const [verb, line, ...surplus] = positionals;
  const common = { appliance: values.appliance, port };
  if (verb === undefined) return { ...common, script: undefined };
  if (verb !== 'exec' || line === undefined || surplus.length > 0)
    throw new TypeError('That is not a way to start the sandbox.');

  // `--as` speaks of the line until the first click, and then of the click before it.
  let as = 'alice';
  const clicks: { label: string; as: string | undefined }[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const last = clicks.at(-1);
    if (token.name === 'click') clicks.push({ label: token.value ?? '', as: undefined });
    else if (token.name === 'as' && last !== undefined) last.as = token.value;
    else if (token.name === 'as') as = token.value ?? as;
  }
  return {
    ...common,
    script: {
      line,
      as,
      in: values.in,
      clicks: clicks.map((click) => ({ label: click.label, as: click.as ?? as })),
    },
  };
}

/** A branch stands beside the simulated appliance, and none beside a real one. */
const world = (appliance: string | undefined): SandboxOptions => ({
  appliance,
  key: process.env.APPLIANCE_KEY,
  branches: appliance === undefined ? 1 : 0,
});

async function openPage({ appliance, port }: Request): Promise<void> {
  const sandbox = await startSandbox({
    workspace: { port, page: pageAssets() },
    ...world(appliance),
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

async function runScript(script: Script, appliance: string | undefined): Promise<void> {
  const { conversation, succeeded, note } = await perform(script, world(appliance));
  process.stdout.write(`${conversation}\n`);
  if (note !== undefined) process.stderr.write(`${note}\n`);
  process.exitCode = succeeded ? 0 : 1;
}

try {
  const request = readRequest(process.argv.slice(2));
  await (request.script === undefined ? openPage(request) : runScript(request.script, request.appliance));
} catch (error) {
  // A wrong option, a name nobody has, a port that is taken: what is wrong, and how it is done.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof TypeError) process.stderr.write(`\n${usage}`);
  process.exitCode = 2;
}
