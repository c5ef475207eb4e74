import type { AnyCommand } from '../../../handlers/command.ts';
import { nameOf } from '../../../handlers/command-name.ts';
import type { Match } from '../../../handlers/language/match.ts';
import { isUndoable } from '../../../handlers/language/options.ts';
import { termWanted } from '../../../handlers/language/term.ts';
import { ticketWanted } from '../../../handlers/language/ticket.ts';
import { choicesIn, readSaidTime } from '../../../handlers/language/times/said-time.ts';
import { readStart, startWanted } from '../../../handlers/language/times/start.ts';
import { code, enumerate, say, type Text } from '../../../handlers/reply.ts';
import { shorten } from '../../../handlers/wording/shorten.ts';

/** The options that a command takes: its own, and those of many. */
export const optionsOf = (command: AnyCommand): readonly string[] => [
  ...[...command.phrase.matchAll(/[<[](--[a-z-]+)/g)].map(([, option = '']) => option),
  ...generalOf(command),
];

/** What it takes as others do. */
function generalOf(command: AnyCommand): readonly string[] {
  if (command.kind !== 'change') return ['--on'];
  return [
    ...(isUndoable(command) ? ['--for', '--until'] : []),
    '--at',
    '--window',
    '--on',
    '--ticket',
    '--dry-run',
  ];
}

function changesOnly(option: string, command: AnyCommand): Text {
  const [given, name] = [code(shorten(option)), code(nameOf(command))];
  if (command.kind === 'lookup')
    return say`${given} is for commands that change something, and ${name} only looks something up.`;
  const what = say`${given} is for commands that change an appliance, and ${name} changes none.`;
  return command.kind === 'info' && command.selfService === 'alone'
    ? say`${what} Whoever may allow the site is asked at once: if it is needed later, say so in the reason.`
    : what;
}

/** What is wrong with an option, or with what stands behind it. */
export function wrongOption({
  command,
  option,
  given,
  problem: why,
}: Extract<Match, { kind: 'wrong_option' }>): Text {
  const typed = code(shorten(option));
  const name = code(shorten(option.split('=', 1)[0] ?? ''));
  switch (why) {
    case 'unknown':
      return say`${code(nameOf(command))} has no option ${typed}.`;
    case 'takes_no_value':
      return say`${name} takes no value: write ${name} alone, or leave it out. ${typed} could mean both.`;
    case 'changes_only':
      return changesOnly(option.split('=', 1)[0] ?? '', command);
    case 'undoable_only':
      if (command.kind === 'change' && command.gathers !== undefined)
        return say`${name} is not for what takes changes back or goes on with a plan. Leave it out: what is taken back stays so, and each line keeps the end that it has.`;
      return say`${name} makes a change temporary by undoing it at its end, and ${code(nameOf(command))} can’t be undone automatically.`;
    case 'one_end':
      return say`A change has one end: give ${code('--for')} or ${code('--until')} once.`;
    case 'no_term':
      return say`${termLacks(given) ?? noTime(given)}${name} takes ${termWanted[option === '--for' ? 'for' : 'until']}.`;
    case 'end_in_text':
      return say`It isn’t clear whether an end stands in the words of ${name}. Put its words in quotes, and the end behind ${code('--for')} or ${code('--until')}, such as ${code('--for 2h')}.`;
    case 'one_ticket':
      return say`A change is done for one ticket: give ${code('--ticket')} once.`;
    case 'no_ticket':
      return say`${name} takes ${ticketWanted}.`;
    case 'one_start':
      return say`A change runs once: give ${code('--at')} or ${code('--window')} once.`;
    case 'start_in_text':
      return say`It isn’t clear whether the words of ${name} say when it is to run. Put its words in quotes, and the time behind ${code('--at')}, such as ${code('--at 22:00')}.`;
    case 'no_start':
      return say`${startLacks(given) ?? noTime(given)}${name} takes ${startWanted[option === '--at' ? 'at' : 'window']}.`;
    case 'not_planned':
      return say`${code('--dry-run')} shows what would be sent now: leave out ${name}.`;
    case 'needs_value':
      return say`${typed} needs a value after it.`;
    case 'one_dash':
      return say`${typed} looks like the option ${code(`-${shorten(option)}`)}: write it with two dashes, or in quotes if it is a value.`;
  }
}

const noTime = (typed: string | undefined): Text =>
  typed === undefined || typed === '' ? [] : say`${code(shorten(typed))} is not one that can be read. `;

/** The same of an end. */
function termLacks(typed = ''): Text | undefined {
  if (!/weekend/.test(typed)) return undefined;
  return say`${code(shorten(typed))} doesn’t say when it begins: ${code('--until "end of sunday"')} is from now on, and ${code('--at "sat 00:00"')} with it from then on. `;
}

/** What is almost a time, with what it lacks. */
function startLacks(typed = ''): Text | undefined {
  const option = (text: string) => code(`--at "${text}"`);
  const said = readSaidTime(typed);
  if (said?.kind === 'either') {
    const each = choicesIn(said).map((one) => code(one));
    return say`${code(shorten(typed))} can be ${enumerate(each, 'or')}: write the one that you mean, with its hour. `;
  }
  if (!/^\d*$/.test(typed) && readStart({ option: 'at', text: `in ${typed}` }) !== undefined)
    return say`${code(shorten(typed))} is a duration: to run it that long from now, write ${option(`in ${typed}`)}. `;
  if (/^\d{1,2}$/.test(typed))
    return say`${code(typed)} alone${Number(typed) > 12 ? ' is no time of the day' : ' could be in the morning or at night'}: write ${code(`--at ${typed}:00`)}. `;
  const hour = /night|evening/i.test(typed) ? '22:00' : '6:00';
  return said === undefined
    ? undefined
    : say`${code(typed)} alone doesn’t say the hour: write it such as ${option(`${typed} ${hour}`)}. `;
}
