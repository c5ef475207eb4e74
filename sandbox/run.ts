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

/** Where a program reads and writes. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

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

/** Does what was asked for on the command line; resolves to the exit code, or to undefined while a page is open. */
export async function runSandbox(args: readonly string[], terminal: Terminal): Promise<number | undefined> {
  try {
    const { script, appliance, port } = readRequest(args);
    const world: SandboxOptions = {
      appliance,
      key: terminal.environment.APPLIANCE_KEY,
      // A branch stands beside the simulated appliance, and none beside a real one.
      branches: appliance === undefined ? 1 : 0,
    };
    if (script !== undefined) return await play(script, world, terminal);
    await openPage(port, world, terminal);
    return undefined;
  } catch (error) {
    // A wrong option, a name nobody has, a port that is taken: what is wrong, and how it is done.
    terminal.err(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof TypeError) terminal.err(`\n${usage}`);
    return 2;
  }
}

async function openPage(port: number, world: SandboxOptions, { out }: Terminal): Promise<void> {
  const sandbox = await startSandbox({ workspace: { port, page: pageAssets() }, ...world });
  const { workspace, stop } = sandbox;
  const simulated = [...(sandbox.appliance ? [['hq', sandbox.appliance] as const] : []), ...sandbox.branches]
    .map(([name, { url }]) => `\n  Simulated ${`${name}:`.padEnd(14)}${url}/_simulator`)
    .join('');
  out(`
  Appliance Bot sandbox:  ${workspace.url}${simulated}

  Try, in #helpdesk:
    /appliance categorize example.com
    /appliance rdp disconnect 12
    /appliance help

  Ctrl+C ends it. Nothing leaves this machine${world.appliance === undefined ? '' : `, except calls to ${world.appliance}`}.
`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(0)));
  }
}

async function play(script: Script, world: SandboxOptions, { out, err }: Terminal): Promise<number> {
  const { conversation, succeeded, note } = await perform(script, world);
  out(`${conversation}\n`);
  if (note !== undefined) err(`${note}\n`);
  return succeeded ? 0 : 1;
}
