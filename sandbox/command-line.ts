import { parseArgs } from 'node:util';
import { type Environment, secretOnCommandLine } from '../src/config/secret.ts';
import { type GenerationName, generationNames, isGeneration } from './appliance/generations/names.ts';
import type { Script } from './exec.ts';
import { type RealAppliance, takeAppliance } from './real-appliance.ts';
import type { SandboxOptions } from './sandbox.ts';

/** What the sandbox is started with. */
export interface CommandLine {
  /** Undefined: for its page. */
  readonly script: Script | undefined;
  readonly appliance: RealAppliance | undefined;
  /** A real appliance by its name, and the policy file that has it, where that is not the bot's. */
  readonly named: { readonly name: string; readonly config: string | undefined } | undefined;
  /** Of the real appliance: the key, or where it is to be found (`${NAME}`, `${file:/path}`). */
  readonly key: string | undefined;
  /** The same of the password of its mirror console. */
  readonly consolePassword: string | undefined;
  readonly generation: GenerationName;
  readonly port: number;
}

/** Reads the words of a command line. @throws TypeError for what cannot be read */
export function readCommandLine(given: readonly string[]): CommandLine {
  const { tokens, values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    tokens: true,
    options: {
      as: { type: 'string', multiple: true },
      in: { type: 'string', default: 'helpdesk' },
      click: { type: 'string', multiple: true },
      appliance: { type: 'string' },
      config: { type: 'string' },
      directory: { type: 'string' },
      mirror: { type: 'string' },
      console: { type: 'string' },
      'console-user': { type: 'string' },
      'console-password': { type: 'string' },
      release: { type: 'string' },
      key: { type: 'string' },
      'key-everywhere': { type: 'boolean' },
      generation: { type: 'string' },
      port: { type: 'string', default: '0' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`--port ${values.port} is not a port number.`);
  const { generation = 'document' } = values;
  if (!isGeneration(generation))
    throw new TypeError(
      `--generation ${generation} is none; there are ${Object.keys(generationNames).join(', ')}.`,
    );
  if (values.generation !== undefined && values.appliance !== undefined)
    throw new TypeError('--generation is for the simulated appliance, and --appliance takes its place.');
  const [verb, line, ...surplus] = positionals;
  const consolePassword = values['console-password'];
  const common = { ...applianceIn(values), key: values.key, consolePassword, generation, port };
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

interface ApplianceValues {
  readonly appliance?: string | undefined;
  readonly config?: string | undefined;
  readonly directory?: string | undefined;
  readonly mirror?: string | undefined;
  readonly console?: string | undefined;
  readonly 'console-user'?: string | undefined;
  readonly 'console-password'?: string | undefined;
  readonly release?: string | undefined;
  readonly key?: string | undefined;
  readonly 'key-everywhere'?: boolean | undefined;
}

/** A name is one of the policy file, which says all the rest. */
function applianceIn(values: ApplianceValues): Pick<CommandLine, 'appliance' | 'named'> {
  const { appliance, config, directory, mirror, console, release, key } = values;
  const isEverywhere = values['key-everywhere'];
  const user = values['console-user'];
  const more = {
    ...(directory !== undefined && { directory_url: directory }),
    ...(mirror !== undefined && { mirror_url: mirror }),
    ...(console !== undefined && { mirror_console_url: console }),
    ...(user !== undefined && {
      mirror_console_user: user,
      mirror_console_password: '${CONSOLE_PASSWORD}',
    }),
    ...(release !== undefined && { release }),
    ...(isEverywhere && { key_everywhere: true }),
  };
  const ofAddress =
    key !== undefined || values['console-password'] !== undefined || Object.keys(more).length > 0;
  if (appliance === undefined) {
    if (ofAddress)
      throw new TypeError('What is said of a real appliance needs its address: --appliance URL.');
    if (config !== undefined)
      throw new TypeError('--config is for a name of the policy file: --appliance NAME.');
    return { appliance: undefined, named: undefined };
  }
  if (/^[a-z0-9][a-z0-9-]*$/.test(appliance)) {
    if (ofAddress)
      throw new TypeError(`The policy file says all of ${appliance}: leave the other options out.`);
    return { appliance: undefined, named: { name: appliance, config } };
  }
  if (config !== undefined)
    throw new TypeError('--config is for a name of the policy file, and not for an address.');
  return { appliance: { url: appliance, ...more }, named: undefined };
}

/** A branch stands beside the simulated appliance, and none beside a real one. @throws TypeError when it, or a secret of it, cannot be had */
export function worldFor(given: CommandLine, environment: Environment = {}): SandboxOptions {
  const { generation } = given;
  const log = environment.LOG_LEVEL ? { LOG_LEVEL: environment.LOG_LEVEL } : {};
  if (given.named !== undefined) {
    const { appliance, secrets } = takeAppliance(given.named.name, given.named.config, environment);
    return { appliance, generation, branches: 0, environment: { ...secrets, ...log } };
  }
  const { appliance } = given;
  const secretOf = (option: string, reference: string | undefined): string | undefined => {
    const found = secretOnCommandLine(reference, environment);
    if (found?.ok === false) throw new TypeError(`--${option} ${found.wrong}.`);
    return found?.secret;
  };
  const password = secretOf('console-password', given.consolePassword) ?? environment.CONSOLE_PASSWORD;
  if (appliance?.mirror_console_user !== undefined && !password) {
    throw new TypeError('--console-user needs its password: --console-password, or CONSOLE_PASSWORD.');
  }
  return {
    appliance,
    generation,
    key: secretOf('key', given.key) ?? environment.APPLIANCE_KEY,
    branches: appliance === undefined ? 1 : 0,
    environment: {
      ...log,
      ...(appliance !== undefined && password && { CONSOLE_PASSWORD: password }),
    },
  };
}
