import type { AnyChange } from '../../handlers/command.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { wordsIn } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { termMeant } from '../../handlers/language/term.ts';
import { readStart, startOptions, type TypedStart } from '../../handlers/language/times/start.ts';
import type { linesIn, PlannedLine } from '../../handlers/plan/lines.ts';
import { code, say } from '../../handlers/reply.ts';
import type { Fingerprint } from '../../handlers/results.ts';
import type { PlanStep } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { Fault, LineFault } from '../wording/faults.ts';

/** A line of a plan as a change with all its words. */
export interface ReadLine extends PlannedLine {
  readonly found: Extract<Match, { kind: 'command' }> & { readonly command: AnyChange };
  /** Its words are IDs that were known before, and nothing else is meant by them. */
  readonly isExact?: boolean;
  /** What it takes back (`PlanStep`). */
  readonly takesBack?: string;
  readonly expects?: Readonly<Record<string, Fingerprint>>;
  /** That of what it takes back, as the journal has it; one that is typed counts before it. */
  readonly ticket?: string;
  /** It is put before those who may run it, where whoever asks may not. */
  readonly isLent?: true;
  /** It was shown before, and is looked at once more. */
  readonly isAgreed?: true;
}

/** One that is only told, and why it is not run. */
export type StayingLine = PlanStep & { readonly stays: true };

export type PlanLine = ReadLine | StayingLine;
/** What a plan has only told before, it tells again. */
export const isStaying = (step: PlanStep): step is StayingLine => step.stays === true;
export const isRead = (line: PlanLine): line is ReadLine => 'found' in line;

interface AllRead {
  readonly lines: readonly ReadLine[];
  /** Why some of them cannot be in a plan. */
  readonly faults: readonly LineFault[];
  /** When all of it is to run. */
  readonly start: TypedStart | undefined;
  /** One of them carries a password: they are kept nowhere. */
  readonly isSecret: boolean;
}

/** More lines would be longer under way than anybody looks on. */
export const mostLines = 200;

type Read = (line: string) => Promise<Match>;

/** Reads what was typed as the lines of a plan; options that were typed for all of them count for each that takes them. */
export async function readLines(
  parts: Pick<Parts, 'authority' | 'now'>,
  { lines, options: all }: ReturnType<typeof linesIn>,
  forAll: Pick<Asked, 'on' | 'reason' | 'term' | 'start'>,
  asker: { readonly person: string; readonly channel: string },
  read: Read,
): Promise<AllRead> {
  const { start, others: options } = startAmong(all);
  /** That of the only line is that of the plan. */
  let own: TypedStart | undefined;
  const may = await parts.authority.suggests(asker.person, asker.channel);
  const each = await Promise.all(
    lines.map(async (line): Promise<ReadLine | LineFault> => {
      const found = await read(line.text);
      const whole = found.kind === 'command' ? await withOptions(line.text, found, options, read) : found;
      if (whole.kind === 'command') {
        const why = notHere(whole, lines.length);
        const { command } = whole;
        own = whole.start;
        return why !== undefined || command.kind !== 'change'
          ? { ...line, fault: { code: 'not_in_a_plan', why: why ?? say`This only looks something up.` } }
          : { ...line, found: { ...forEach(forAll, command), ...given(whole), command, start: undefined } };
      }
      // Nobody reads it again.
      const shown = whole.kind === 'secret' ? { ...line, text: '•••' } : line;
      return { ...shown, fault: { code: 'not_understood', line: line.text, match: whole, may } };
    }),
  );
  const runs = start ?? forAll.start ?? own;
  const { timeZone } = parts.authority.policy();
  const meant = ({ term }: Pick<Asked, 'term'>) => termMeant({ term, start: runs }, parts.now(), timeZone);
  return {
    start: runs,
    lines: each.flatMap((one) =>
      'found' in one ? [{ ...one, found: { ...one.found, term: meant(one.found) } }] : [],
    ),
    faults: each.flatMap((one) => ('fault' in one ? [one] : [])),
    isSecret: each.some((one) => 'fault' in one && isSecret(one.fault)),
  };
}

const isSecret = (fault: Fault): boolean => fault.code === 'not_understood' && fault.match.kind === 'secret';

/** What was said of the line itself counts, and not what was said of all of them. */
const given = (found: ReadLine['found'] | Extract<Match, { kind: 'command' }>) =>
  Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as typeof found;

const forEach = ({ on, reason, term }: Pick<Asked, 'on' | 'reason' | 'term'>, command: AnyChange) => ({
  ...(on !== undefined && { on }),
  ...(reason !== undefined && command.args.reason === undefined && { reason }),
  ...(term !== undefined && command.undo !== undefined && { term }),
});

type Command = Extract<Match, { kind: 'command' }>;

/** With those options that stand before all lines, where the line has none of its own and its command takes them. */
async function withOptions(line: string, found: Command, options: string, read: Read): Promise<Match> {
  let all = found;
  let text = line;
  for (const option of options.split(/\s(?=--)/).filter((one) => one !== '')) {
    const [name = ''] = option.split(/[\s=]/, 1);
    if (text.includes(name) || says[name]?.(all) === true) continue;
    const more = await read(`${text} ${option}`);
    if (more.kind !== 'command') {
      // What cannot be undone has no end; everything else is a slip, and told.
      if (more.kind === 'wrong_option' && more.problem === 'undoable_only') continue;
      return more;
    }
    all = more;
    text = `${text} ${option}`;
  }
  return all;
}

/** Whether a line says that for itself, in whichever words. */
const says: Readonly<Record<string, (found: Command) => boolean>> = {
  '--for': ({ term }) => term !== undefined,
  '--until': ({ term }) => term !== undefined,
  '--ticket': ({ ticket }) => ticket !== undefined,
  '--reason': ({ reason }) => reason !== undefined,
  '--on': ({ on }) => on !== undefined,
};

/** When all of it is to run, which no line says for itself; and the other options. */
function startAmong(options: string): { readonly start: TypedStart | undefined; readonly others: string } {
  const all = options.split(/\s(?=--)/);
  const isStart = (option: string) => startOptions.some((name) => new RegExp(`^--${name}\\b`).test(option));
  const [, name = '', typed = ''] = /^--(\w+)[\s=](.*)$/.exec(all.find(isStart) ?? '') ?? [];
  const option = startOptions.find((one) => one === name);
  const text = wordsIn(typed)
    .map((word) => word.text)
    .join(' ');
  const start = option && { option, text };
  return {
    start: start && readStart(start) === undefined ? undefined : start,
    others: all
      .filter((one) => !isStart(one) || start === undefined || readStart(start) === undefined)
      .join(' '),
  };
}

/** Why a command cannot be a line of a plan. */
function notHere({ command, dryRun, start }: Extract<Match, { kind: 'command' }>, of: number) {
  if (command.kind !== 'change')
    return say`This changes nothing, and a plan takes only changes. Run it by itself.`;
  if (dryRun)
    return say`${code('--dry-run')} sends nothing. A plan shows what it would change before anybody agrees.`;
  if (start !== undefined && of > 1)
    return say`All lines of a plan run at one time: put ${code(`--${start.option}`)} behind ${code('plan')}.`;
  if (command.gathers !== undefined) return say`A plan can’t be a line of a plan.`;
  if (command.timed !== undefined || command.phrase.startsWith('emergency'))
    return say`Emergency mode has its own end and its own alarm. Run it by itself.`;
  const inputs = Object.values(command.args).map(({ input }) => input);
  if (inputs.includes('secret'))
    return say`This needs a password, which only its form takes. Run it by itself.`;
  if (inputs.includes('file')) return say`This needs a file. Run it by itself.`;
  return undefined;
}
