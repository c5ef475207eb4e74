import { parseArgs } from 'node:util';
import { type Environment, secretOnCommandLine } from '../src/config/secret.ts';
import { type GenerationName, generationNames, isGeneration } from './appliance/generations/names.ts';
import type { Script } from './exec.ts';
import { type RealAppliance, takeAppliance } from './real-appliance.ts';
import type { SandboxOptions } from './sandbox.ts';

/** The options of the sandbox. */
export interface CommandLine {
  /** Undefined: for its page. */
  readonly script: Script | undefined;
  readonly appliance: RealAppliance | undefined;
  /** A real appliance by its name, and the policy file that has it, where that is not the bot's. */
  readonly named: { readonly name: string; readonly config: string | undefined } | undefined;
  /** The key of the real appliance, or its place (`${NAME}`, `${file:/path}`). */
  readonly key: string | undefined;
  /** The same of the password of its mirror console. */
  readonly consolePassword: string | undefined;
  readonly generation: GenerationName;
  readonly port: number;
}

/** Reads the words of a command line. @throws TypeError for what cannot be read */
export function readCommandLine(given: readonly string[]): CommandLine | 'help' {
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
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`--port ${values.port} is not a port number.`);
  const { generation = 'document' } = values;
  if (!isGeneration(generation))
    throw new TypeError(
      `Unknown --generation ${generation}. Use ${Object.keys(generationNames).join(', ')}.`,
    );
  if (values.generation !== undefined && values.appliance !== undefined)
    throw new TypeError(
      '--generation sets the simulated appliance, and --appliance replaces that one. Use only one of both.',
    );
  const [verb, line, ...surplus] = positionals;
  const consolePassword = values['console-password'];
  const common = { ...applianceIn(values), key: values.key, consolePassword, generation, port };
  if (verb === undefined) return { ...common, script: undefined };
  const unstarted = 'The sandbox was not started.';
  if (verb !== 'exec')
    throw new TypeError(`Unknown word ${verb}: leave it out for the page, or use exec. ${unstarted}`);
  if (line === undefined) throw new TypeError(`exec needs a line: exec "/appliance help". ${unstarted}`);
  if (surplus.length > 0)
    throw new TypeError(`The line must be in quotes: exec '${[line, ...surplus].join(' ')}'. ${unstarted}`);

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
      throw new TypeError('The settings of a real appliance require its address. Add --appliance URL.');
    if (config !== undefined)
      throw new TypeError('--config requires an appliance by its name. Add --appliance NAME.');
    return { appliance: undefined, named: undefined };
  }
  if (/^[a-z0-9][a-z0-9-]*$/.test(appliance)) {
    if (ofAddress)
      throw new TypeError(`The policy file has all settings of ${appliance}. Leave the other options out.`);
    return { appliance: undefined, named: { name: appliance, config } };
  }
  if (config !== undefined)
    throw new TypeError('--config requires an appliance by its name, and not by its address. Leave it out.');
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
