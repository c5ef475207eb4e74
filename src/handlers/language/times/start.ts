import { readSaidTime, type SaidTime } from './said-time.ts';

/** The options that plan a change for later. */
export type StartOption = 'at' | 'window';
export const startOptions: readonly StartOption[] = ['at', 'window'];

export interface TypedStart {
  readonly option: StartOption;
  readonly text: string;
}

/** The start of a change: at a moment, or in a named window of the policy. */
export type Start =
  | { readonly kind: 'at'; readonly time: SaidTime }
  | { readonly kind: 'window'; readonly name: string };

export const startWanted: Readonly<Record<StartOption, string>> = {
  at: 'a time such as 22:00, “sat 02:00”, “tomorrow 6:00”, “28 nov 22:00” or “in 2h”',
  window: 'the name of a window of the policy',
};

/** Reads a field that accepts either: "22:00", "at 22:00", "night", "window night". */
export function startSaid(said: string, windows: readonly string[]): TypedStart {
  const text = said.trim();
  const [, named] = /^(?:in )?(?:the )?window (\S+)$/i.exec(text) ?? [];
  const window = named ?? windows.find((one) => one === text.toLowerCase());
  return window === undefined
    ? { option: 'at', text: text.replace(/^at (?=\S)/i, '') }
    : { option: 'window', text: window };
}

/** Undefined for other text; a day alone is no start. */
export function readStart({ option, text }: TypedStart): Start | undefined {
  const said = text.trim().toLowerCase();
  if (option === 'window') return said === '' ? undefined : { kind: 'window', name: said };
  const time = readSaidTime(said);
  // An end may be that vague, but no change starts by a guess.
  const isVague = /(?:^| )(?:morning|evening)$/.test(said) && !/[0-9]/.test(said);
  return time === undefined || isWhole(time) || isVague ? undefined : { kind: 'at', time };
}

/** A day without a known hour. */
const isWhole = (time: SaidTime): boolean =>
  time.kind === 'either' ? time.of.some(isWhole) : time.kind === 'point' && time.minutes === undefined;
