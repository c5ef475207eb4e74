import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { vocabularyOf } from '../src/action/authority/authority.ts';
import { readConfig } from '../src/config/config.ts';
import { readPolicyText } from '../src/config/policy-file.ts';
import type { Environment } from '../src/config/secret.ts';
import { unknownWords } from '../src/config/unknown-words.ts';
import { commands } from '../src/handlers/registry.ts';
import { CannotStart, inLines, type Problem } from '../src/problem.ts';
import { doubts } from './policy/doubts.ts';
import { readWords, type Terminal } from './terminal.ts';

const usage = `Usage:

appliance-bot check
    Checks the settings in the environment and the policy file, as a start does, and lists everything that is wrong. Contacts
    neither Slack nor appliances, and can run beside the bot. Exits with 0 if the bot would start, and with 1 if not.
`;

/** Runs the tool with the words of its command line; comes to its exit code. */
export function checkTool(words: readonly string[], terminal: Terminal): number {
  const { write, environment } = terminal;
  const read = readWords(
    () => parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } } }),
    usage,
    terminal,
  );
  if ('code' in read) return read.code;
  const { problems, warnings } = look(environment, terminal.now());
  if (problems.length > 0) {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    write(`${count} attention.\n\n${inLines(problems)}\n`);
    return 1;
  }
  write(`The environment and ${environment.APPLIANCE_BOT_CONFIG} are valid.\n`);
  for (const { key, wrong } of warnings) write(`  Warning: ${key}: ${wrong}\n`);
  return 0;
}

/** Problems that would stop a start, all at once, and settings that may not be meant. */
function look(
  environment: Environment,
  now: number,
): {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
} {
  const vocabulary = vocabularyOf(commands);
  try {
    const { read, ...config } = readConfig(environment);
    return {
      problems: read.told(unknownWords(read.content, vocabulary)),
      warnings: read.told(doubts(config, commands, now)),
    };
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return {
      problems: [...error.problems, ...wordsOnlyKnownHere(environment, error.problems)],
      warnings: [],
    };
  }
}

/** A start that is refused anyway does not get as far as to look whether the policy's words are those of a command. */
function wordsOnlyKnownHere(environment: Environment, known: readonly Problem[]): readonly Problem[] {
  const file = environment.APPLIANCE_BOT_CONFIG;
  if (!file) return [];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The problems name this one already.
    return [];
  }
  const { content, problemsWith } = readPolicyText(text, file, environment);
  const same = ({ key, wrong }: Problem) => `${key} ${wrong}`;
  const told = new Set(known.map(same));
  return problemsWith(unknownWords(content, vocabularyOf(commands))).filter((one) => !told.has(same(one)));
}
