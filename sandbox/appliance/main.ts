import { parseArgs } from 'node:util';
import {
  type SimulatedAppliance,
  type SimulatedApplianceSettings,
  startSimulatedAppliance,
} from './index.ts';

const usage = `npm run sandbox:appliance             starts a simulated appliance and prints its addresses

  --port PORT            the port of the main address, which answers everything (9503)
  --web-port PORT        the Web API alone (a free one, as for those below)
  --directory-port PORT  the directory API alone
  --mirror-port PORT     the mirror service alone
  --console-port PORT    the mirror console alone
  --key KEY              the Web API key that remote-desktop calls must carry (none is asked for)
  --help                 this

0 takes a free port.
`;

/** What was asked for is not possible; the message says why, in one sentence. */
class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

function readSettings(given: readonly string[]): SimulatedApplianceSettings | 'help' {
  const { values } = parse(given);
  if (values.help) return 'help';
  if (values.key === '') throw new NotPossible('--key needs a key.');
  return {
    port: portIn('port', values.port),
    ports: {
      web: portIn('web-port', values['web-port']),
      directory: portIn('directory-port', values['directory-port']),
      mirror: portIn('mirror-port', values['mirror-port']),
      mirrorConsole: portIn('console-port', values['console-port']),
    },
    ...(values.key !== undefined && { key: values.key }),
  };
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: joinPorts(given),
      options: {
        port: { type: 'string', default: '9503' },
        'web-port': { type: 'string', default: '0' },
        'directory-port': { type: 'string', default: '0' },
        'mirror-port': { type: 'string', default: '0' },
        'console-port': { type: 'string', default: '0' },
        key: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    // Node explains at length; its first sentence is the one about what was typed.
    const [first] = String(error instanceof Error ? error.message : error).split(/\.\s/);
    throw new NotPossible(`${first?.replace(/\.$/, '')}; --help shows what there is.`);
  }
}

/** A negative number after the name of a port is its value, if a wrong one; `parseArgs` would take it for an option. */
function joinPorts(given: readonly string[]): string[] {
  const args: string[] = [];
  for (const one of given) {
    const last = args.at(-1) ?? '';
    if (/^-\d/.test(one) && /^--([a-z]+-)?port$/.test(last)) args.splice(-1, 1, `${last}=${one}`);
    else args.push(one);
  }
  return args;
}

function portIn(option: string, value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new NotPossible(`--${option} ${value} is not a port number.`);
  return port;
}

async function open(settings: SimulatedApplianceSettings): Promise<SimulatedAppliance> {
  try {
    return await startSimulatedAppliance(settings);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'port' in error)) throw error;
    if (error.code === 'EADDRINUSE')
      throw new NotPossible(`Port ${error.port} is taken; --help shows how to choose another.`);
    if (error.code === 'EACCES')
      throw new NotPossible(`Port ${error.port} is not for everybody; one from 1024 on is.`);
    throw error;
  }
}

function introduction({ url, urls, catalogue }: SimulatedAppliance, key: string | undefined): string {
  // A key that was typed here need not be shown again.
  const header = key === undefined ? '' : ` -H 'X-Auth-Token: KEY'`;
  return `
  Simulated appliance:  ${url}    ${catalogue.length} operations, everything answers here

    Web API             ${urls.web}
    Directory API       ${urls.directory}
    Mirror service      ${urls.mirror}
    Mirror console      ${urls.mirrorConsole}

  Try:
    curl ${url}/categories/query/example.com
    curl -X POST${header} ${url}/rdpproxy/sessions/12/disconnect
    curl ${url}/api/status

  Make it misbehave (how, and what else there is: ${url}/_simulator):
    curl -X PUT ${url}/_simulator/faults -d '{"operation":"GET /categories/list","kind":"slow","ms":5000}'
    curl -X DELETE ${url}/_simulator/faults

  Ctrl+C ends it. Nothing leaves this machine.
`;
}

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') process.stdout.write(usage);
  else {
    const appliance = await open(settings);
    process.stdout.write(introduction(appliance, settings.key));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void appliance.stop());
  }
} catch (error) {
  if (!(error instanceof NotPossible)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
