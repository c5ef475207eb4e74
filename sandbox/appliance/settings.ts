import { parseArgs } from 'node:util';
import { type GenerationName, generationNames, isGeneration } from './generations/names.ts';
import type { SimulatedApplianceSettings } from './index.ts';

export const usage = `npm run sandbox:appliance             starts a simulated appliance and prints its addresses

  --port PORT            the port of the main address, which answers everything (9503)
  --web-port PORT        the Web API alone (a free one, as for those below)
  --directory-port PORT  the directory API alone
  --mirror-port PORT     the mirror service alone
  --console-port PORT    the mirror console alone
  --key KEY              the Web API key that remote-desktop calls must carry (none is asked for)
  --generation NAME      how it answers: document (the default), field-v1 (as real appliances were found to), field-strict
                         (as field-v1, with allowed networks, the key on every call, a login at the mirror console)
  --help                 this

0 takes a free port.
`;

/** What was asked for is not possible; the message says why, in one sentence. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

/** Of the command line. */
export function readSettings(given: readonly string[]): SimulatedApplianceSettings | 'help' {
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
    generation: generationIn(values.generation),
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
        generation: { type: 'string', default: 'document' },
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

function generationIn(name: string): GenerationName {
  if (isGeneration(name)) return name;
  throw new NotPossible(
    `--generation ${name} is none; there are ${Object.keys(generationNames).join(', ')}.`,
  );
}

function portIn(option: string, value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new NotPossible(`--${option} ${value} is not a port number.`);
  return port;
}
