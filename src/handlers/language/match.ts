import type { ArgumentProblem } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import type { Impossible } from '../understanding/impossible.ts';
import type { Asked } from './asked.ts';
import type { WrongOption } from './options.ts';

/** What may have been meant: a command, and the whole line to type for it. */
export interface Suggestion {
  readonly command: AnyCommand;
  /** With what was typed where that fits, else the command's example. */
  readonly line: string;
  /** The same, taken apart. */
  readonly asked: Asked;
  /** Set when something is still wanted: a form asks for it. */
  readonly isPartial?: true;
}

/** A word that cannot be what is wanted. */
export interface WrongWord {
  readonly word: string;
  readonly problem: ArgumentProblem;
}

/** What a typed line turned out to be. */
export type Match =
  | (Asked & {
      readonly kind: 'command';
      /** Read from the words by the command's own declaration. What an appliance lists is still a word (`resolve.ts` in `action/`). */
      readonly args: never;
      /** The line that it was understood as, where it is not the one that was typed: a lookup, or a team's own word for a command. */
      readonly understoodAs?: string;
    })
  /** Something is wanted that was not typed: a form can ask for it. */
  | (Asked & { readonly kind: 'missing'; readonly argument: string })
  | (Asked & {
      readonly kind: 'invalid';
      readonly argument: string;
      /** The first; and all of them, with the words that do fit. */
      readonly word: string;
      readonly problem: ArgumentProblem;
      readonly misfits: readonly WrongWord[];
      readonly fitting: readonly string[];
    })
  | (Asked & {
      readonly kind: 'too_many';
      readonly argument: string;
      readonly given: number;
      readonly most: number;
    })
  | (Asked & { readonly kind: 'surplus'; readonly words: readonly string[] })
  | (WrongOption & { readonly kind: 'wrong_option'; readonly command: AnyCommand })
  /** It carries a password, or what looks like one. The line must not be kept. */
  | { readonly kind: 'secret'; readonly command: AnyCommand | undefined }
  /** The line is the beginning of these. */
  | { readonly kind: 'incomplete'; readonly continuations: readonly AnyCommand[] }
  /** It begins like these and goes on like none of them; `known` is the part that they share. */
  | { readonly kind: 'astray'; readonly known: string; readonly continuations: readonly AnyCommand[] }
  /** `impossible`: what may be meant as well, and cannot be done. */
  | {
      readonly kind: 'unknown';
      readonly nearest: readonly Suggestion[];
      readonly impossible?: Impossible | undefined;
    }
  /** What no call of the Web API does; `nearest` is what comes near to it. */
  | { readonly kind: 'impossible'; readonly impossible: Impossible; readonly nearest: readonly Suggestion[] };
