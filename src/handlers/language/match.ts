import type { ArgumentProblem } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import type { GivenValue } from '../lists/posted-file.ts';
import type { Impossible } from '../understanding/impossible.ts';
import type { Asked } from './asked.ts';
import type { WrongOption } from './options.ts';

/** A command that was perhaps meant, and the whole line to type for it. */
export interface Suggestion {
  readonly command: AnyCommand;
  /** With the typed words where they fit, otherwise the command's example. */
  readonly line: string;
  readonly asked: Asked;
  /** Set if an argument is missing; a form asks for it. */
  readonly isPartial?: true;
}

/** A word that does not fit its argument. */
export interface WrongWord {
  readonly word: string;
  readonly problem: ArgumentProblem;
}

export type Match =
  | (Asked & {
      readonly kind: 'command';
      /**
       * Read by the command's own declaration. Things that an appliance lists are still words (`resolve.ts` in
       * `action/`).
       */
      readonly args: never;
      /**
       * The line that the bot understood, if it differs from the typed one: a lookup, or a team's own word for
       * a command.
       */
      readonly understoodAs?: string;
    })
  /** An argument is missing; a form can ask for it. */
  | (Asked & {
      readonly kind: 'missing';
      readonly argument: string;
      /** Words that fit nowhere. */
      readonly surplus?: readonly string[];
    })
  | (Asked & {
      readonly kind: 'invalid';
      readonly argument: string;
      /** The first wrong word; `misfits` holds all of them, and `fitting` the values that fit. */
      readonly word: string;
      readonly problem: ArgumentProblem;
      readonly misfits: readonly WrongWord[];
      readonly fitting: readonly GivenValue[];
    })
  | (Asked & {
      readonly kind: 'too_many';
      readonly argument: string;
      readonly given: number;
      readonly most: number;
    })
  | (Asked & { readonly kind: 'surplus'; readonly words: readonly string[] })
  | (WrongOption & { readonly kind: 'wrong_option'; readonly command: AnyCommand })
  /** The line contains a password, or a probable one. It must not be stored. */
  | { readonly kind: 'secret'; readonly command: AnyCommand | undefined }
  /** These commands begin with the line. */
  | { readonly kind: 'incomplete'; readonly continuations: readonly AnyCommand[] }
  /** These commands begin like the line, but none continues like it; `known` is the part that they share. */
  | { readonly kind: 'astray'; readonly known: string; readonly continuations: readonly AnyCommand[] }
  /**
   * `impossible`: a possible meaning that no command can do. `longest`: the line has more characters than this,
   * so its meaning was not searched.
   */
  | {
      readonly kind: 'unknown';
      readonly nearest: readonly Suggestion[];
      readonly impossible?: Impossible | undefined;
      readonly longest?: number;
    }
  /** No call of the Web API does this; `nearest` holds the closest commands. */
  | { readonly kind: 'impossible'; readonly impossible: Impossible; readonly nearest: readonly Suggestion[] };
