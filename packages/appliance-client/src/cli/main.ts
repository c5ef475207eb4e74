import { distance } from 'fastest-levenshtein';
import packageJson from '../../package.json' with { type: 'json' };
import { areas, type TypedCall, typedCalls } from './calls.ts';
import { candidates, completionScripts, type Shell } from './completion.ts';
import { readFile, readGiven } from './given.ts';
import { areaHelp, callHelp, generalHelp } from './help.ts';
import { type Asked, make } from './make.ts';
import { addressOptions } from './settings.ts';
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

/** The requested call, or a text to print. @throws Usage */
function understood(words: readonly string[], terminal: Terminal): Asked | string {
  const [first, ...behind] = callFirst(words);
  if (first === 'help') return understood([...behind.slice(0, 2), '--help'], terminal);
  if (first === '--help' || first === '-h') return generalHelp();
  if (first === '--version') return `${packageJson.version}\n`;
  if (first === undefined || first.startsWith('-'))
    throw new Usage('Missing area. appliance --help lists the areas.');
  if (first === 'completion') return scriptFor(behind[0]);
  if (first === 'complete')
    return candidates(behind.slice(1))
      .map((one) => `${one}\n`)
      .join('');
  const [second, ...rest] = callFirst(behind);
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
  return askedFor(call, rest, terminal.env);
}

function askedFor(call: TypedCall, words: readonly string[], environment: Terminal['env']): Asked | string {
  const sources = { environment, read: readFile };
  const given = readGiven(call, words, sources);
  return given.help ? callHelp(call) : { call, given, sources };
}

function scriptFor(shell: string | undefined): string {
  if (shell === undefined || !Object.hasOwn(completionScripts, shell)) {
    throw new Usage('Missing or unknown shell. Use appliance completion bash, zsh or fish.');
  }
  return completionScripts[shell as Shell];
}

/** Options may stand before the call, too: `appliance --json rdp list-sessions`. */
function callFirst(words: readonly string[]): readonly string[] {
  const before = words.findIndex((word, at) => !word.startsWith('-') && !takesTheNext(words[at - 1] ?? ''));
  return before < 1 ? words : [...words.slice(before), ...words.slice(0, before)];
}

const takesTheNext = (word: string) => addressOptions.some((option) => word === `--${option}`);

/** A distant name is not suggested: it may be a change, and somebody in a hurry might take it. */
function unknown(what: string, typed: string, known: readonly string[], list: string): string {
  const slips = (name: string) => distance(name, typed) + Math.abs(name.length - typed.length) / 10;
  const [nearest] = known.toSorted((one, other) => slips(one) - slips(other));
  const isNear = nearest !== undefined && slips(nearest) <= Math.max(2, nearest.length / 3);
  const within = known.filter((name) => typed.length > 2 && name.includes(typed)).slice(0, 3);
  const meant = isNear ? [nearest] : within;
  const offered = meant.length === 0 ? '' : ` Did you mean ${meant.join(', or ')}?`;
  return `Unknown ${what} ${typed}.${offered} ${list} lists them. Nothing was sent.`;
}
