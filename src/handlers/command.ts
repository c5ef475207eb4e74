import type { Appliance, AskedAppliance, Effect } from '../api/index.ts';
import type { Argument } from './argument.ts';
import type { Field, Reply, Text } from './reply.ts';

/**
 * A phrase is written as people type it, with slots for what they fill in:
 * `rdp disconnect <session>`, `categorize <domain>…` (one or more), `[topic]` (one or none),
 * `help [topic]…` (any number).
 * The shapes of the arguments are inferred from it.
 */
type Slots<Phrase extends string> = Phrase extends `${infer Word} ${infer Rest}`
  ? Slot<Word> & Slots<Rest>
  : Slot<Phrase>;
type Slot<Word extends string> = Word extends `<${infer Name}>…`
  ? { readonly [name in Name]: 'several' }
  : Word extends `[${infer Name}]…`
    ? { readonly [name in Name]: 'several' }
    : Word extends `<${infer Name}>`
      ? { readonly [name in Name]: 'one' }
      : Word extends `[${infer Name}]`
        ? { readonly [name in Name]: 'one or none' }
        : unknown;

/** One `Argument` per slot of the phrase, under the slot's name. */
type ArgumentsFor<Phrase extends string> = { readonly [name in keyof Slots<Phrase>]: Argument };

/** What a command's code receives: the value of each slot. */
export type Values<Phrase extends string, Arguments> = {
  readonly [name in keyof Slots<Phrase>]: name extends keyof Arguments
    ? Arguments[name] extends Argument<infer Value>
      ? Slots<Phrase>[name] extends 'several'
        ? readonly Value[]
        : Slots<Phrase>[name] extends 'one or none'
          ? Value | undefined
          : Value
      : never
    : never;
};

/** What any command may know about who asks, and where. */
export interface Situation {
  readonly person: string;
  readonly channel: string;
  readonly now: number;
}

/** A command that works on an appliance also gets that. */
export interface OnAppliance<Args> extends AskingAppliance<Args> {
  readonly appliance: Appliance;
}

/** While a command only looks, it gets the calls that only read, so that it cannot change anything by mistake. */
export interface AskingAppliance<Args> extends Situation {
  readonly args: Args;
  readonly appliance: AskedAppliance;
}

/** What identifies the thing that a change is about to hit; plain JSON, for the journal. */
export type Subject = Readonly<Record<string, string | number | null>>;

/** What a dangerous command is about to hit, fetched live. */
export type Preview =
  | {
      readonly kind: 'ready';
      /** The question above the buttons: "Disconnect session 12?" */
      readonly question: Text;
      readonly fields: readonly Field[];
      /**
       * What the person agrees to, as plain JSON. It is taken again at the click, and if it differs from what
       * was shown, the action is not run (design, rule 7).
       */
      readonly subject: Subject;
    }
  /** There is nothing to act on, and the sentence says so. */
  | { readonly kind: 'nothing'; readonly why: Text };

/** What reading back showed. `evidence` is a full sentence. */
export type Verification =
  | { readonly kind: 'happened'; readonly evidence: Text }
  | { readonly kind: 'not_happened'; readonly evidence: Text };

/** What `help` and `whoami` show; filled by the flow from the same decision that guards every command. */
export interface Guide {
  /** The roles this person holds in this channel. */
  readonly roles: readonly string[];
  /** Whether the channel is in the policy at all. */
  readonly served: boolean;
  readonly appliance: string | undefined;
  readonly commands: readonly GuideEntry[];
  /** Why nothing or little is allowed here, where there is a reason beyond roles: a guest, a channel without policy. */
  readonly obstacle: Text | undefined;
}

export interface GuideEntry {
  readonly command: AnyCommand;
  readonly allowed: boolean;
  /** The roles here that may run it, weakest first. */
  readonly roles: readonly string[];
}

interface Common<Phrase extends string, Arguments> {
  readonly phrase: Phrase;
  /** Other ways to say the same, with the same slots. */
  readonly also?: readonly string[];
  readonly args: Arguments;
  /** One line for the help, as an order: "Disconnect an open remote-desktop session". */
  readonly summary: string;
  readonly example: string;
}

/** Asks an appliance and answers in the channel. */
export interface Lookup<Args> {
  readonly kind: 'lookup';
  readonly effect: 'read';
  readonly answer: (context: AskingAppliance<Args>) => Promise<Reply>;
}

/** Changes something: shown first, confirmed, run once, and verified by reading back. */
export interface Change<Args> {
  readonly kind: 'change';
  readonly effect: Exclude<Effect, 'read'>;
  /** The word on the button: "Disconnect". */
  readonly verb: string;
  /** While it runs and when it is done: "Disconnecting session 12", "Disconnected session 12". */
  readonly doing: (args: Args) => Text;
  readonly done: (args: Args) => Text;
  readonly preview: (context: AskingAppliance<Args>) => Promise<Preview>;
  readonly run: (context: OnAppliance<Args>) => Promise<{ readonly confirmed: boolean }>;
  /** Reads back; `shown` is the subject that was confirmed, so that its successor under the same number is not mistaken for it. */
  readonly verify: (context: AskingAppliance<Args>, shown: Subject) => Promise<Verification>;
}

/** Answers from the bot's own knowledge, only to the person who asked. */
export interface Info<Args> {
  readonly kind: 'info';
  readonly effect: 'read';
  /** Allowed to everybody, also where no policy is: only for what tells people about themselves and the bot. */
  readonly anywhere: boolean;
  readonly answer: (context: Situation & { readonly args: Args; readonly guide: Guide }) => Reply;
}

export type Command<Phrase extends string, Arguments> = Common<Phrase, Arguments> &
  (Lookup<Values<Phrase, Arguments>> | Change<Values<Phrase, Arguments>> | Info<Values<Phrase, Arguments>>);

/**
 * A command as the registry and the flow see it. Which arguments it takes is known to its own declaration only, so
 * here they are `never`: nobody can make some up, and `phrase.ts`, which reads them by that declaration, hands them on.
 */
export type AnyCommand = Common<string, Readonly<Record<string, Argument>>> &
  (Lookup<never> | Change<never> | Info<never>);

/** Declares a command. Everything else (help, permissions, matching, forms) is derived from the declaration. */
export function command<const Phrase extends string, const Arguments extends ArgumentsFor<Phrase>>(
  declaration: Command<Phrase, Arguments>,
): Command<Phrase, Arguments> {
  return declaration;
}

/** The area a command belongs to is the first word of its phrase, as in the grammar `area [noun] verb`. */
export function areaOf(command: Pick<AnyCommand, 'phrase'>): string {
  return command.phrase.split(' ', 1)[0] ?? '';
}

/** The literal words of a phrase, without its slots: what people call the command. */
export function nameOf(command: Pick<AnyCommand, 'phrase'>): string {
  return command.phrase.split(' ').filter(isLiteral).join(' ');
}

export const isLiteral = (word: string): boolean => !/^[<[]/.test(word);
