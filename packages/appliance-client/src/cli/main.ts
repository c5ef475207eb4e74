import { distance } from 'fastest-levenshtein';
import packageJson from '../../package.json' with { type: 'json' };
import { areas, type TypedCall, typedCalls } from './calls.ts';
import { candidates, completionScripts, type Shell } from './completion.ts';
import { readFile, readGiven } from './given.ts';
import { areaHelp, callHelp, generalHelp } from './help.ts';
import { type Asked, make } from './make.ts';
import { harmless } from './show.ts';
import { exitCodes, type Terminal, Usage } from './terminal.ts';

/** Runs one command line. Resolves to the exit code; never rejects for what was typed. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const asked = understood(words, terminal);
    if (typeof asked !== 'string') return await make(asked, terminal);
    terminal.stdout.write(asked);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
    terminal.stderr.write(`${harmless(error.message)}\n`);
    return exitCodes.notUnderstood;
  }
}

/** The call that is asked for, or what is to be printed. @throws Usage */
function understood(words: readonly string[], { env: environment }: Terminal): Asked | string {
  const [first, second, ...rest] = words;
  if (first === undefined) throw new Usage('Which area? appliance --help lists them.');
  if (first === '--help' || first === '-h' || first === 'help') return generalHelp();
  if (first === '--version') return `${packageJson.version}\n`;
  if (first === 'completion') return scriptFor(second);
  if (first === 'complete')
    return candidates(rest)
      .map((one) => `${one}\n`)
      .join('');
  const area = areas.find((one) => one.area === first);
  if (area === undefined)
    throw new Usage(
      unknown(
        'area',
        first,
        areas.map((one) => one.area),
        'appliance --help',
      ),
    );
  const calls = typedCalls().filter((call) => call.area === first);
  if (second === undefined || second === '--help' || second === '-h')
    return areaHelp(first, area.title, calls);
  const call = calls.find(({ word, own }) => word === second || own === second);
  if (call === undefined) {
    throw new Usage(
      unknown(
        'call',
        second,
        calls.map(({ word }) => word),
        `appliance ${first} --help`,
      ),
    );
  }
  return askedFor(call, rest, environment);
}

function askedFor(call: TypedCall, words: readonly string[], environment: Terminal['env']): Asked | string {
  const sources = { environment, read: readFile };
  const given = readGiven(call, words, sources);
  return given.help ? callHelp(call) : { call, given, sources };
}

function scriptFor(shell: string | undefined): string {
  if (shell === undefined || !Object.hasOwn(completionScripts, shell)) {
    throw new Usage('Which shell? Use appliance completion bash, zsh or fish.');
  }
  return completionScripts[shell as Shell];
}

function unknown(what: string, typed: string, known: readonly string[], list: string): string {
  const [nearest = ''] = known.toSorted((one, other) => distance(one, typed) - distance(other, typed));
  return `Unknown ${what} ${typed}. Did you mean ${nearest}? ${list} lists them. Nothing was sent.`;
}
