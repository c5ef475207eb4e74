import { mistakeIn } from '../cli/terminal.ts';
import { blockedSite } from './behind-proxy.ts';
import { readCommandLine, worldFor } from './command-line.ts';
import { perform, type Script } from './exec.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';
import { pageAssets } from './workspace/page/bundle.ts';

const usage = `npm run sandbox                       starts everything and prints the address of its page
npm run sandbox -- exec "LINE"        types one line and prints the conversation

  --as NAME          who types: alice, bob, carol, dana, vic, gus, carla or eve. Default: alice
  --in CHANNEL       where: helpdesk, incident, random or partners. Default: helpdesk
  --click LABEL      then presses a button. Repeatable, in order; an --as after it says who presses
  --appliance NAME   uses a real appliance with its settings in the policy file
    --config FILE      the policy file. Default: APPLIANCE_BOT_CONFIG
  --appliance URL    uses a real appliance that is in no policy file
    --key '\${NAME}'    its Web API key, from the environment or from a file with '\${file:/path}'. Default: APPLIANCE_KEY
    --key-everywhere   sends the key with every call
    --directory URL    its directory API, if the address differs
    --mirror URL       its mirror service; --console URL is the console of that service
    --console-user NAME, --console-password '\${NAME}'
                       the login of that console, if it requires one. Default: CONSOLE_PASSWORD
    --release NAME     its release, such as "4.50 SP4", if it does not report all of it
  --generation NAME  how the simulated appliances answer: document (the default), field-v1 (like real appliances)
                     or field-strict (like field-v1, and requires an allowed network, the key and a login)
  --port PORT        the port of the page. Default: a free one

LOG_LEVEL sets what the bot logs, to standard error: fatal, error, warn (the default), info, debug or silent.
`;

/** The input and output of a program. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs a command line; resolves to the exit code, or to undefined while a page is open. */
export async function runSandbox(args: readonly string[], terminal: Terminal): Promise<number | undefined> {
  try {
    const given = readCommandLine(args);
    if (given === 'help') {
      terminal.out(usage);
      return 0;
    }
    const world = worldFor(given, terminal.environment);
    if (given.script !== undefined) return await play(given.script, world, terminal);
    await openPage(given.port, world, terminal);
    return undefined;
  } catch (error) {
    // A wrong option, an unknown name or a taken port: prints the mistake and the usage.
    terminal.err(`${mistakeIn(error)}\n`);
    if (error instanceof TypeError) terminal.err(`\n${usage}`);
    return 2;
  }
}

async function openPage(port: number, world: SandboxOptions, { out }: Terminal): Promise<void> {
  const sandbox = await startSandbox({
    workspace: { port, page: pageAssets() },
    // Its own category of allowed sites. A real appliance has other ones, and a block page of its own.
    ...(world.appliance === undefined && {
      blockPage: true,
      policy: { self_service: { channel: 'C0HELPDESK', allow_category: 207 } },
    }),
    ...world,
  });
  const { workspace, behindProxy, data, stop } = sandbox;
  const simulated = [...(sandbox.appliance ? [['hq', sandbox.appliance] as const] : []), ...sandbox.branches]
    .map(([name, { url }]) => `\n  Simulated ${`${name}:`.padEnd(14)}${url}/_simulator`)
    .join('');
  out(`
  Appliance Bot sandbox:  ${workspace.url}${simulated}
  Journal, while it runs: ${data}

  Try, in #helpdesk:
    /appliance why live-betting.example
    /appliance rdp disconnect 12
    /appliance help
${
  behindProxy === undefined
    ? ''
    : `
  A website that the proxy of hq blocks, with a block page from which anybody can ask for it:
    ${behindProxy.url}/?site=${blockedSite}
`
}
  Ctrl+C ends it. Nothing leaves this machine${world.appliance === undefined ? '' : `, except calls to ${world.appliance.url}`}.
`);
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The signal may come twice, from the terminal and from npm, and the second one must not leave anything behind.
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop().then(() => process.exit(0));
    });
  }
}

async function play(script: Script, world: SandboxOptions, { out, err }: Terminal): Promise<number> {
  const { conversation, succeeded, note } = await perform(script, world);
  out(`${conversation}\n`);
  if (note !== undefined) err(`${note}\n`);
  return succeeded ? 0 : 1;
}
