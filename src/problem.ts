/** A setting to correct: its place, the problem, and an example. Never contains a secret's value. */
export interface Problem {
  readonly key: string;
  readonly wrong: string;
  readonly example: string;
}

export function inLines(problems: readonly Problem[]): string {
  return problems
    .map(({ key, wrong, example }) => `  ${key} ${wrong}\n      Example: ${example}`)
    .join('\n\n');
}

/** Every problem that prevents the start. The message is for the person who starts the bot. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    super(`Appliance Bot cannot start: ${count} attention.\n\n${inLines(problems)}`);
    this.problems = problems;
  }
}
