import { parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';
import { endWithParent } from '../../src/process/parent.ts';
import { type SimulatedAppliance, startSimulatedAppliance } from './index.ts';
import { NotUnderstood } from './read-fault.ts';
import type { SimulatedApplianceSettings } from './settings.ts';
import { companyState } from './state.ts';
import { switchesIn } from './switches.ts';

/** Every switch is an option; its first value is the default. */
const switches = switchesIn(companyState(new Date(0)));
const inDashes = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const usage = `simulated-appliance               starts a simulated appliance and prints its addresses

  --port PORT            the port of the main address, which answers everything (9503)
  --web-port PORT        the Web API alone (a free one, as for those below)
  --directory-port PORT  the directory API alone
  --mirror-port PORT     the mirror service alone
  --console-port PORT    the mirror console alone
  --key KEY              the Web API key that remote-desktop calls must carry (none is required)
  --https                https, with a self-signed certificate
  --help                 prints this help

Port 0 takes a free port. The options below set its state: the first value is the default, and all can be changed while it runs.

${switches.map(({ name, values, says }) => `  --${inDashes(name)} ${Object.keys(values).join('|')}\n      ${says}\n`).join('')}`;

/** The requested action is not possible; the message says why, in one sentence. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

/**
 * Runs a command line. Resolves to the exit code, once the appliance listens: the appliance keeps the process alive until
 * a signal. Never rejects for a typing mistake.
 */
export async function run(
  words: readonly string[],
  process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'on'>,
): Promise<number> {
  endWithParent(process.env);
  try {
    const settings = readSettings(words);
    if (settings === 'help') {
      process.stdout.write(usage);
      return 0;
    }
    const appliance = await open(settings);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void appliance.close());
    process.stdout.write(introduction(appliance, settings));
    return 0;
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

async function open(settings: SimulatedApplianceSettings): Promise<SimulatedAppliance> {
  try {
    return await startSimulatedAppliance(settings);
  } catch (error) {
    if (error instanceof NotUnderstood) throw new NotPossible(error.message);
    if (!(error instanceof Error && 'code' in error && 'port' in error)) throw error;
    if (error.code === 'EADDRINUSE')
      throw new NotPossible(`Port ${error.port} is taken; --help shows how to choose another.`);
    if (error.code === 'EACCES')
      throw new NotPossible(
        `Port ${error.port} needs more rights than this user has. Use a port from 1024 on.`,
      );
    throw error;
  }
}

function introduction(
  { url, urls, catalogue, certificate }: SimulatedAppliance,
  { key, generation }: SimulatedApplianceSettings,
): string {
  const curl = certificate === undefined ? 'curl' : 'curl -k';
  // A key that was typed here need not be shown again.
  const header = key === undefined ? '' : ` -H 'X-Auth-Token: KEY'`;
  const everywhere = generation === 'field-strict' ? header : '';
  return `
  Simulated appliance:  ${url}    ${catalogue.length} operations, everything answers here

    Web API             ${urls.web}
    Directory API       ${urls.directory}
    Mirror service      ${urls.mirror}
    Mirror console      ${urls.mirrorConsole}

  Try:
    ${curl}${everywhere} ${url}/categories/query/example.com
    ${curl} -X POST${header} ${url}/rdpproxy/sessions/12/disconnect
    ${curl} ${url}/api/status

  Make it misbehave (how, and what else there is: ${url}/_simulator):
    ${curl} -X PUT ${url}/_simulator/faults -d '{"operation":"GET /categories/list","kind":"slow","ms":5000}'
    ${curl} -X DELETE ${url}/_simulator/faults

  Ctrl+C ends it. Nothing leaves this machine.
`;
}

const options = {
  port: { type: 'string', default: '9503' },
  'web-port': { type: 'string', default: '0' },
  'directory-port': { type: 'string', default: '0' },
  'mirror-port': { type: 'string', default: '0' },
  'console-port': { type: 'string', default: '0' },
  key: { type: 'string' },
  https: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
const switchOptions = Object.fromEntries(
  switches.map(({ name }) => [inDashes(name), { type: 'string' } as const]),
);

/** Reads the command line. @throws NotPossible */
export function readSettings(given: readonly string[]): SimulatedApplianceSettings | 'help' {
  const { values, turned } = parse(given);
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
    ...(values.https && { https: true }),
    ...turned,
  };
}

function parse(given: readonly string[]) {
  try {
    const { values } = parseArgs({ args: joinPorts(given), options: { ...switchOptions, ...options } });
    const typed: Readonly<Record<string, unknown>> = values;
    const turned = switches.flatMap(({ name }) => {
      const value = typed[inDashes(name)];
      return value === undefined ? [] : [[name, value]];
    });
    return { values, turned: Object.fromEntries(turned) };
  } catch (error) {
    // Node's first sentence names the mistake; the rest is advice.
    const [first] = String(error instanceof Error ? error.message : error).split(/\.\s/);
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(first ?? '') ?? [];
    const known = Object.keys({ ...options, ...switchOptions });
    const hint =
      unknown === undefined ? '--help shows what there is' : `did you mean --${closest(unknown, known)}?`;
    throw new NotPossible(`${first?.replace(/\.$/, '')}; ${hint}${unknown === undefined ? '.' : ''}`);
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
