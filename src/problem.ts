/** One setting to mend: where it stands, what is wrong with it, what it could look like. Never holds a secret's value. */
export interface Problem {
  readonly key: string;
  readonly wrong: string;
  readonly example: string;
}

/** For a terminal. */
export function inLines(problems: readonly Problem[]): string {
  return problems
    .map(({ key, wrong, example }) => `  ${key} ${wrong}\n      Example: ${example}`)
    .join('\n\n');
}

/** Everything that keeps the bot from starting, at once. The message is for the person who starts it. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    super(`Appliance Bot cannot start: ${count} attention.\n\n${inLines(problems)}`);
    this.problems = problems;
  }
}
