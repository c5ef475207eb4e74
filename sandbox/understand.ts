import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { explain } from '../src/action/wording/faults.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { type Asked, lineOf } from '../src/handlers/language/asked.ts';
import type { Match, Suggestion } from '../src/handlers/language/match.ts';
import { plainText, type Reply } from '../src/handlers/reply.ts';
import { endWithParent } from '../src/process/parent.ts';
import { startSandbox } from './sandbox.ts';

/** The sandbox's reading of a line, as one JSON object. */
export interface Understood {
  readonly line: string;
  readonly kind: 'runs' | 'form' | 'choices' | 'impossible' | 'unknown';
  /** As it is declared; absent where no command is meant by the line alone. */
  readonly phrase?: string;
  readonly effect?: AnyCommand['effect'];
  /** The line with its arguments as it would run, or fill its form. */
  readonly runs?: string;
  /** The best first. */
  readonly choices: readonly {
    readonly phrase: string;
    readonly effect: AnyCommand['effect'];
    readonly line: string;
  }[];
  /** Every button below the answer, in order. `line`: the line to run or to request, or the form's line so far. */
  readonly buttons: readonly { readonly label: string; readonly line: string }[];
  /** The reason why the appliance cannot do another possible meaning: it stands below the choices. */
  readonly cannot?: string;
  readonly because: string;
}

export interface LineReader {
  readonly read: (line: string) => Promise<Understood>;
  readonly stop: () => Promise<void>;
}

/** More choices than these nobody is shown as buttons. */
const most = 3;

/** Starts a sandbox in which somebody types lines somewhere, of which nothing is run. @throws for names nobody has */
export async function startReading(as: string, channelName: string): Promise<LineReader> {
  const { bot, workspace, stop } = await startSandbox({ branches: 1 });
  const person = workspace.people.find(({ name, id }) => name === as || id === as);
  const channel = workspace.channels.find(
    ({ name, id }) => name === channelName.replace(/^#/, '') || id === channelName,
  );
  if (person === undefined || channel === undefined) {
    await stop();
    throw new TypeError(`Unknown ${person === undefined ? `person ${as}` : `channel ${channelName}`}.`);
  }
  const asker = { person: person.id, channel: channel.id };
  return {
    read: async (line) => {
      const { found, answer } = await bot.readWithAnswer(line, asker);
      return { ...understood(line, found), buttons: buttonsOf(answer) };
    },
    stop,
  };
}

const buttonsOf = (answer: Reply | undefined): Understood['buttons'] =>
  (answer?.details ?? []).flatMap((part) =>
    part.kind === 'offers' ? part.offers.map(({ label, line }) => ({ label, line })) : [],
  );

function understood(line: string, found: Match): Omit<Understood, 'buttons'> {
  if (found.kind === 'command') {
    const runs = lineOf(found);
    const because = found.understoodAs === undefined ? 'It is this command.' : `Understood as ${runs}.`;
    return { line, kind: 'runs', ...meant(found), runs, choices: [], because };
  }
  const because = plainText(
    explain({ code: 'not_understood', line, match: found, may: () => true }).headline,
  );
  switch (found.kind) {
    case 'missing':
      return { line, kind: 'form', ...meant(found), runs: lineOf(found), choices: [], because };
    case 'impossible':
      return { line, kind: 'impossible', choices: found.nearest.map(choice), because: found.impossible.why };
    case 'unknown':
      return {
        line,
        kind: found.nearest.length === 0 ? 'unknown' : 'choices',
        choices: found.nearest.map(choice),
        ...(found.impossible && { cannot: found.impossible.why }),
        because,
      };
    case 'incomplete':
    case 'astray': {
      const choices = found.continuations
        .slice(0, most)
        .map((command) => choice({ command, line: lineOf({ command, typed: {} }) }));
      return { line, kind: 'choices', choices, because };
    }
    default: {
      const { command } = found;
      const typed = 'typed' in found ? found.typed : {};
      const choices = command === undefined ? [] : [choice({ command, line: lineOf({ command, typed }) })];
      return { line, kind: choices.length === 0 ? 'unknown' : 'choices', choices, because };
    }
  }
}

const meant = ({ command: { phrase, effect } }: Asked) => ({ phrase, effect });
const choice = ({ command: { phrase, effect }, line }: Pick<Suggestion, 'command' | 'line'>) => ({
  phrase,
  effect,
  line,
});

const usage = `Usage:

npm run --silent understand -- [--as NAME] [--in CHANNEL] ["LINE"…]
    Shows how the bot would understand each line and which buttons it would show, as one JSON object per line. Nothing is run. Without a LINE, reads lines
    from standard input. Default NAME: alice. Default CHANNEL: helpdesk.
`;

/** @returns the exit code */
export async function main(given: readonly string[]): Promise<number> {
  let reader: LineReader | undefined;
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        as: { type: 'string', default: 'alice' },
        in: { type: 'string', default: 'helpdesk' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    const lines =
      positionals.length > 0
        ? positionals
        : (await text(process.stdin))
            .split(/\r?\n/)
            .filter((line, index, all) => line !== '' || index < all.length - 1);
    reader = await startReading(values.as, values.in);
    for (const line of lines) process.stdout.write(`${JSON.stringify(await reader.read(line))}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  } finally {
    await reader?.stop();
  }
}

if (import.meta.main) {
  endWithParent(process.env);
  process.exitCode = await main(process.argv.slice(2));
}
