import { readFileSync } from 'node:fs';
import { nameOf } from '../../src/handlers/command-name.ts';
import { commands } from '../../src/handlers/registry.ts';

/** One file each; `Line` describes their fields. */
export const kinds = [
  'polarity',
  'temporary',
  'general',
  'wrapped',
  'slots',
  'approver',
  'impossible',
  'question',
] as const;
type Kind = (typeof kinds)[number];

/** A typed line, and its right answers. */
export interface Line {
  readonly kind: Kind;
  /** `\n` in the file stands for a new line. */
  readonly line: string;
  /**
   * Names of commands of which one must be run, shown as a card or offered; or what the answer must be: `NONE` (the appliance
   * cannot do it), `ANY`, `SHORT` (a greeting back), `ALARM` (a password was typed), `SITE` (the site can be asked for),
   * `APPROVAL` (it can be asked of those who may), `WAITS` (what waits for this person, with its buttons), `TELLS` (what
   * waits for others), `NOTHING` (nothing waits).
   */
  readonly accept: readonly string[];
  /** Words of the line that must be kept. */
  readonly keep: readonly string[];
  /** Whether what is meant allows or denies a site, or turns something else on or off. */
  readonly polarity: 'allow' | 'deny' | 'on' | 'off' | undefined;
  /**
   * Names of commands that would be against what is meant; `!name`: one that is about something else; `~text` must not stand in
   * what is offered; `CHANGE`: no change is offered first; `SITE`: no site is offered; `ALARM`: no alarm about a password.
   */
  readonly never: readonly string[];
  readonly as: string;
  /** A channel, or `thread` (of the card that waits), or `direct`. */
  readonly in: string;
  /** The situation in which it is typed. */
  readonly situation: 'temporary' | 'emergency' | undefined;
  /**
   * Changes that the line may make at once, all of it or nothing. Examples: `188+evil.example` (a category gets a site),
   * `acl39+.example.com`, `create:name` (a category), `request` (a request for a site). Empty: nothing changes before a
   * confirmation.
   */
  readonly becomes: readonly string[];
}

const names = new Set(commands.map(nameOf));
/** A command that has another name now would make any answer a miss. */
const isKnown = (one: string) => /^(?:~|[A-Z]+$)/.test(one) || names.has(one.replace(/^!/, ''));

/** @throws TypeError for a word of a column, or a command, that there is not */
export function linesOf(kind: Kind): readonly Line[] {
  const [head = '', ...rows] = readFileSync(new URL(`${kind}.tsv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const columns = head.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    const list = (name: string, by: string) => cell(name).split(by).filter(Boolean);
    const unknown = [...list('accept', '|'), ...list('never', ',')].find((one) => !isKnown(one));
    if (unknown !== undefined) throw new TypeError(`There is no command ${unknown}`);
    return {
      kind,
      line: cell('line').replaceAll(String.raw`\n`, '\n'),
      accept: list('accept', '|'),
      keep: list('keep', ','),
      polarity: oneOf(['allow', 'deny', 'on', 'off'], cell('polarity')),
      never: list('never', ','),
      as: cell('as'),
      in: cell('in'),
      situation: oneOf(['temporary', 'emergency'], cell('situation')),
      becomes: list('becomes', ','),
    };
  });
}

function oneOf<Word extends string>(words: readonly Word[], cell: string): Word | undefined {
  const found = words.find((word) => word === cell);
  if (found === undefined && cell !== '') throw new TypeError(`${cell} is none of ${words.join(', ')}`);
  return found;
}
