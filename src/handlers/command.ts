import type { Appliance, AskedAppliance, Effect } from '../api/index.ts';
import type { Applied } from './applied.ts';
import type { Argument, PostedFile } from './argument.ts';
import type { History } from './audit/history.ts';
import type { Field, Offer, Part, Reply, Text } from './reply.ts';

/**
 * A phrase is written as people type it, with slots for what they fill in:
 * `rdp disconnect <session>`, `categorize <domain>…` (one or more), `[topic]` (one or none),
 * `help [topic]…` (any number), and options by name, which stand anywhere after it: `<--reason>` (wanted), `[--user]`.
 * Small words may stand between the slots: `category move <site> from <category> to <other>`.
 * The shapes of the arguments are inferred from it.
 */
type Slots<Phrase extends string> = Phrase extends `${infer Word} ${infer Rest}`
  ? Slot<Word> & Slots<Rest>
  : Slot<Phrase>;
type Slot<Word extends string> = Word extends `<--${infer Name}>`
  ? { readonly [name in Name]: 'one' }
  : Word extends `[--${infer Name}]`
    ? { readonly [name in Name]: 'one or none' }
    : Word extends `<${infer Name}>…`
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

/** What an action has switched on for a time on an appliance, and the bot ends by itself. Moments: milliseconds since the epoch. */
export interface ActiveTimedChange {
  /** `ending`: its time is over, and the bot tries until it is seen to be over. */
  readonly state: 'on' | 'ending';
  readonly since: number;
  readonly until: number;
  /** Who asked for it, and why. */
  readonly person: string;
  readonly reason: string;
}

/** What the policy allows at most. */
export interface Limits {
  /** How long emergency mode may last from a moment on, in milliseconds. */
  readonly emergency: number;
}

/** While a command only looks, it gets the calls that only read, so that it cannot change anything by mistake. */
export interface AskingAppliance<Args> extends Situation {
  readonly args: Args;
  readonly appliance: AskedAppliance;
  /** What was changed on this appliance and is not live yet. */
  readonly pendingChanges: () => Promise<readonly PendingChange[]>;
  /** What the bot itself will end on this appliance. */
  readonly timedChange: () => Promise<ActiveTimedChange | undefined>;
  readonly limits: Limits;
  readonly files: Files;
}

/** A command that changes something also gets the calls that do. */
export interface OnAppliance<Args> extends AskingAppliance<Args> {
  readonly appliance: Appliance;
  /** Says how far it has come, for what takes long: "3,000 of 5,000 sites". Shown at most every few seconds. */
  readonly progress: (words: Text) => void;
  /** Puts off the end of the lease there. False when it has none, or another end than `from`. */
  readonly extend: (from: number, to: number) => Promise<boolean>;
  /** Takes this person's word for it that what the bot tries to end there is over. False when it tries to end nothing. */
  readonly confirmOver: (reason: string) => Promise<boolean>;
}

/** A change that still waits for its compile. */
export interface PendingChange {
  readonly what: Applied;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The line that changed it. */
  readonly line: string;
  /** Why the last try to apply it failed, where there was one. */
  readonly problem: string | undefined;
}

/** The files that people hand over. Both stream, and reject with `FileFailure`. */
export interface Files {
  readonly open: (file: PostedFile) => Promise<AsyncIterable<Uint8Array>>;
  /** Reads it once, to its end: its SHA-256 in hexadecimal, and its first bytes, which tell what it really is. */
  readonly digest: (file: PostedFile) => Promise<FileDigest>;
}

export interface FileDigest {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly head: Uint8Array;
  /** The person who posted it, where the chat tells. */
  readonly postedBy: string | undefined;
}

/** Why a file could not be had from the chat. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure';
  readonly code: 'not_found' | 'no_access' | 'incomplete' | 'changed' | 'too_large' | 'no_answer';

  constructor(code: FileFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** What identifies the thing that a change is about to hit; plain JSON, for the journal. */
export type Fingerprint = Readonly<Record<string, string | number | boolean | null>>;

/** What a change is about to hit, fetched live. */
export type Preview =
  | {
      readonly kind: 'ready';
      /** The question above the buttons: "Disconnect session 12?" */
      readonly question: Text;
      readonly fields: readonly Field[];
      /**
       * What the person agrees to, as plain JSON. It is taken again at the click, and if it differs from what
       * was shown, the action is not run (design, rule 7). Also what `verify` and `undo` know of how it was before.
       */
      readonly subject: Fingerprint;
    }
  /** There is nothing to act on, and the sentence says so; with what to do instead. */
  | { readonly kind: 'nothing'; readonly why: Text; readonly offers?: readonly Offer[] };

/** What the appliance answered to an order. */
export interface Ran {
  /** Whether it said yes; what it says without a yes or a no is not confirmed. */
  readonly confirmed: boolean;
  /** What only the answer tells, such as the ID of what was created. Joins the subject for `verify`, `done` and `undo`. */
  readonly learned?: Fingerprint;
  /** What is worth showing in the thread, such as an installation's trace. */
  readonly details?: readonly Part[];
}

/** What reading back showed. `evidence` is a full sentence. `final`: looking again will not show anything else. */
export type Verification =
  | { readonly kind: 'happened'; readonly evidence: Text }
  | { readonly kind: 'not_happened'; readonly evidence: Text; readonly final?: true }
  /** Some of it happened and some did not, and `evidence` says which. */
  | { readonly kind: 'in_part'; readonly evidence: Text; readonly final?: true }
  /** This time, on this appliance, nothing shows it. `why` is the end of "not checkable: …". */
  | { readonly kind: 'not_checkable'; readonly why: string; readonly final?: true }
  /** It goes on, and this is how far it is. Only for what lasts. */
  | { readonly kind: 'under_way'; readonly evidence: Text };

/** What `help` and `whoami` show; filled by the flow from the same decision that guards every command. */
export interface Guide {
  /** The roles this person holds in this channel. */
  readonly roles: readonly string[];
  /** Whether the channel is in the policy at all. */
  readonly served: boolean;
  /** The channel's default. */
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
  /** Literal words first: the area, a noun, a verb. Other orders, plurals and `list` are understood without being written. */
  readonly phrase: Phrase;
  /** Other ways to say the same, with the same slots, that do not follow from the phrase. */
  readonly also?: readonly string[];
  readonly args: Arguments;
  /** One line for the help, as an order: "Disconnect an open remote-desktop session". */
  readonly summary: string;
  /** Runs as it stands in the sandbox, after those of `before`. */
  readonly example: string;
  /** Shows more than the channel it is typed in: only a role that names its area or its phrase may run it. */
  readonly named?: true;
  /** Lines that must have been run before the example makes sense: what it undoes, what it needs. */
  readonly before?: readonly string[];
}

/** Asks an appliance and answers in the channel. */
export interface LookupDeclaration<Args> {
  readonly kind: 'lookup';
  readonly effect: 'read';
  readonly answer: (context: AskingAppliance<Args>) => Promise<Reply>;
  /**
   * The headline over the answers of several appliances, where they sum up to more than how many answered. Asked only
   * if there is an answer. `failed`: how many gave none.
   */
  readonly several?: (answers: readonly ApplianceReply[], failed: number) => Text;
}

/** What one of several appliances answered. */
export interface ApplianceReply {
  readonly appliance: string;
  readonly reply: Reply;
}

/**
 * Changes something: looked at first, run once, and verified by reading back. What is destructive, or hits several
 * appliances, is put before the person with a button; what can be put back runs at once and offers Undo.
 */
export interface ChangeDeclaration<Args> {
  readonly kind: 'change';
  readonly effect: Exclude<Effect, 'read'>;
  /** The word on the button: "Disconnect". */
  readonly verb: string;
  /** While it runs and when it is done: "Disconnecting session 12", "Session 12 is disconnected". */
  readonly doing: (args: Args) => Text;
  readonly done: (args: Args) => Text;
  readonly preview: (context: AskingAppliance<Args>) => Promise<Preview>;
  readonly run: (context: OnAppliance<Args>, shown: Fingerprint) => Promise<Ran>;
  /**
   * Reads back. `shown` is the subject that was confirmed, so that a successor under the same number is not mistaken
   * for it, with what `run` learned. Where nothing on the appliance can show it, the reason instead, as the end of
   * "not checkable: …".
   */
  readonly verify:
    | ((context: AskingAppliance<Args>, shown: Fingerprint) => Promise<Verification>)
    | NotCheckable;
  /** The line that takes it back, where the opposite exists and `shown` tells that there is something to take back. */
  readonly undo?: (args: Args, shown: Fingerprint) => string | undefined;
  /** Set where by then something may hang on what was made: the click on Undo shows what would go, and asks. */
  readonly undoAsks?: true;
  /** What must be compiled before it takes effect (appliance-api.md §1 convention 3, §4.1–§4.3). */
  readonly requires?: (args: Args) => readonly Applied[];
  /** What it compiles itself, so that nobody else has to. */
  readonly satisfies?: (args: Args, shown: Fingerprint) => readonly Applied[];
  /** What it switches on must not stay on: the bot ends it by itself. */
  readonly timed?: Timed<Args>;
  /** For what goes on after the order was taken: how long it is watched at most, in milliseconds. */
  readonly lasts?: number;
}

/** A change whose end is part of it. The time begins when it is run. */
export interface Timed<Args> {
  /** What is on meanwhile, as a sentence begins: "Emergency mode". */
  readonly name: string;
  /** Milliseconds. */
  readonly lasts: (args: Args) => number;
  readonly reason: (args: Args) => string;
  /** The phrase of the command that ends it, which needs no arguments. */
  readonly end: string;
  /** The name of the command that puts the end off, and of the one by which somebody says to have seen that it is over. */
  readonly extend: string;
  readonly confirm: string;
  /**
   * Whether it is still on. `seen`: it was seen to be on before, so that not to see it means something.
   * @throws ApplianceFailure
   */
  readonly look: (context: AskingAppliance<never>, seen: boolean) => Promise<Lasting>;
}

/** `evidence` is a full sentence. */
export type Lasting =
  | { readonly kind: 'lasts' | 'over'; readonly evidence: Text }
  /** The appliance does not show it; `offer`: what may help against that. */
  | { readonly kind: 'unclear'; readonly evidence: Text; readonly offer?: Offer };

/** Why no read of the appliance can show whether a change happened. */
export interface NotCheckable {
  readonly notCheckable: string;
}

/** Who may do what in this channel as the policy stands, told in words. `line` is a command as people type it, `on` its `--on`. */
export interface Rights {
  readonly whoCan: (line: string, on: string | undefined) => Promise<Reply>;
  readonly can: (person: string, line: string, on: string | undefined) => Promise<Reply>;
  /** Whose approval a command may need; undefined where it needs none. */
  readonly approval: (command: AnyCommand) => Text | undefined;
}

/** Answers from the bot's own knowledge, only to the person who asked, unless it says otherwise. */
export interface InfoDeclaration<Args> {
  readonly kind: 'info';
  readonly effect: 'read';
  /** Allowed to everybody, also where no policy is: only for what tells people about themselves and the bot. */
  readonly anywhere: boolean;
  /** It is answered in the channel, as if an appliance had been asked: with pages, and with files in its thread. */
  readonly posted?: true;
  /** It tells of appliances: of all of them unless `--on` names some. */
  readonly tellsOfAppliances?: true;
  readonly answer: (
    context: Situation & {
      readonly args: Args;
      /** What stood after `--on`. */
      readonly on: string | undefined;
      readonly guide: Guide;
      readonly rights: Rights;
      readonly history: History;
    },
  ) => Reply | Promise<Reply>;
}

export type Command<Phrase extends string, Arguments> = Common<Phrase, Arguments> &
  (
    | LookupDeclaration<Values<Phrase, Arguments>>
    | ChangeDeclaration<Values<Phrase, Arguments>>
    | InfoDeclaration<Values<Phrase, Arguments>>
  );

/**
 * A command as the registry and the flow see it. Which arguments it takes is known to its own declaration only, so
 * here they are `never`: nobody can make some up, and `phrase.ts`, which reads them by that declaration, hands them on.
 */
export type AnyCommand = Common<string, Readonly<Record<string, Argument>>> &
  (LookupDeclaration<never> | ChangeDeclaration<never> | InfoDeclaration<never>);

/** A command that changes something, as the way of an action sees it. */
export type AnyChange = Extract<AnyCommand, { kind: 'change' }>;
export type AnyLookup = Extract<AnyCommand, { kind: 'lookup' }>;

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

/** Small words between slots, which people may leave out and which name nothing. */
const particles: ReadonlySet<string> = new Set([
  'from',
  'to',
  'in',
  'into',
  'of',
  'on',
  'for',
  'with',
  'by',
  'as',
  'at',
]);

/** The literal words of a phrase, without its slots and small words: what people call the command. */
export function nameOf(command: Pick<AnyCommand, 'phrase'>): string {
  return command.phrase
    .split(' ')
    .filter((word) => isLiteral(word) && !isParticle(word))
    .join(' ');
}

export const isLiteral = (word: string): boolean => !/^[<[]/.test(word);
export const isParticle = (word: string): boolean => particles.has(word);
