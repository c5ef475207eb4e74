/** One line of the result: the bot, and what it is measured against. */
export interface Row {
  readonly what: string;
  readonly unit: 'µs' | 'ms' | 'MB' | '/s' | 'rounds' | 'commands' | 'orders' | 'actions';
  readonly bot: number;
  readonly against: { readonly whom: string; readonly value: number };
  /** `bot / against.value`. */
  readonly ratio: number;
  readonly target: Target;
  readonly met: boolean;
}

/** A limit: at most or at least a multiple of the other value, or an absolute amount, in the row's unit. */
export type Target =
  | { readonly ratio: number }
  | { readonly atLeast: number }
  | { readonly more: number }
  | { readonly most: number }
  | { readonly least: number };

/** A question that the bench answers, under the name that `--only` takes. */
export interface Measurement {
  readonly name: string;
  /** Takes much longer than the others together, and runs only by name. */
  readonly isLong?: true;
  /** How it is taken, in one sentence. */
  readonly method: string;
  readonly measure: () => Promise<readonly Row[]>;
}

export const bareBolt = 'bare Bolt app';

/** @throws RangeError when one of the values is not a positive number: a measurement that went wrong is no figure */
export function row(
  what: string,
  unit: Row['unit'],
  bot: number,
  against: Row['against'],
  target: Target,
): Row {
  const { value } = against;
  if (!(bot > 0 && value > 0)) throw new RangeError(`${what}: ${bot} and ${value} are no figures.`);
  return { what, unit, bot, against, ratio: bot / value, target, met: meets(bot, value, target) };
}

function meets(bot: number, value: number, target: Target): boolean {
  if ('ratio' in target) return bot / value <= target.ratio;
  if ('atLeast' in target) return bot / value >= target.atLeast;
  if ('least' in target) return bot >= target.least;
  return 'more' in target ? bot - value <= target.more : bot <= target.most;
}
