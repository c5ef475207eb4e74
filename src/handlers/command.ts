import type { Effect } from '../api/index.ts';
import type { anyValue } from '../auth/request.ts';
import type { Applied } from './applied.ts';
import type { Argument } from './argument.ts';
import type { RequestBook } from './ask/request-book.ts';
import type { History } from './audit/history.ts';
import type { AskingAppliance, OnAppliance, Situation } from './context.ts';
import type { Standing, WaitsForPerson } from './conversation/standing.ts';
import type { PlanBook } from './plan/plan-book.ts';
import type { Calendar, PlannedThing } from './planned/list.ts';
import type { InfoReply, Offer, Reply, Text } from './reply.ts';
import type { Fingerprint, Lasting, NotCheckable, Preview, Ran, Verification } from './results.ts';
import type { FieldParts } from './temporary/field-parts.ts';
import type { TemporaryThing } from './temporary/list.ts';
import type { WatchList } from './watch/list.ts';
import type { Watchable } from './watch/watchable.ts';

/**
 * The grammar of phrases, as people type them: slots such as `<session>`, `<domain>…` (one or more), `[topic]`
 * (one or none), `[topic]…` (any number), and options by name, which stand anywhere after them: `<--reason>`
 * (required), `[--user]`. Small words may stand between slots: `category move <site> from <category> to
 * <other>`. The types of the arguments are inferred from the phrase.
 */
export type Slots<Phrase extends string> = Phrase extends `${infer Word} ${infer Rest}`
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

export type ArgumentsFor<Phrase extends string> = { readonly [name in keyof Slots<Phrase>]: Argument };

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

export interface Described<Phrase extends string> {
  /** Literal words first: the area, a noun, a verb. Other orders, plurals and `list` are derived. */
  readonly phrase: Phrase;
  /** Other phrases with the same slots that do not follow from the phrase. */
  readonly also?: readonly string[];
  /**
   * Questions that people ask without the docs, separated by ` / `, with placeholders in angle brackets: `kick
   * <session> / is <domain> blocked`. `<somebody>` and `<place>` do not affect the answer. They only rank
   * suggestions (`understanding/`) and never run a command.
   */
  readonly says?: string;
  /**
   * Whether a line that is no command means only this one. For requests that people phrase in too many ways to
   * list. The command runs from it, so it must be a lookup or an info.
   */
  readonly hears?: (line: string) => boolean;
  /** One line for the help, in the imperative: "Disconnect an open remote-desktop session". */
  readonly summary: string;
  /**
   * Its argument, typed alone, runs it: `example.com` is `why example.com`. A command without slots is about an
   * appliance.
   */
  readonly byNameAlone?: true;
  /** Shows more than its channel, so only a role that names its area or its phrase may run it. */
  readonly named?: true;
  /** Answers in place, and is left out of lists of commands, forms and help. */
  readonly unlisted?: true;
  /** Lines to run before the example: the change that it undoes, or its prerequisites. */
  readonly before?: readonly string[];
}

interface Common<Phrase extends string, Arguments> extends Described<Phrase> {
  readonly args: Arguments;
  /** Runs as written in the sandbox, after `before`. */
  readonly example: string;
}

/** Asks an appliance and answers in the channel. */
export interface LookupDeclaration<Args> {
  readonly kind: 'lookup';
  readonly effect: 'read';
  readonly answer: (context: AskingAppliance<Args>) => Promise<Reply>;
  /** Watches something from then on. */
  readonly watches?: Watchable;
  /**
   * The headline over the answers of several appliances, if it can say more than how many answered. Called only
   * with at least one answer. `failed`: the number of appliances without an answer.
   */
  readonly several?: (answers: readonly ApplianceReply[], failed: number) => Text;
}

export interface ApplianceReply {
  readonly appliance: string;
  readonly reply: Reply;
}

/**
 * A change: previewed, run once, and verified by reading back. A destructive change, or one on several
 * appliances, is confirmed with a button. A reversible change runs at once and offers Undo.
 */
export interface ChangeDeclaration<Args> {
  readonly kind: 'change';
  readonly effect: Exclude<Effect, 'read'>;
  readonly verb: string;
  /**
   * The change in progress and done: "Disconnecting session 12 of bob.miller", "Session 12 of bob.miller
   * disconnected". `shown` supplies names for numbers: the confirmed fingerprint with the results of `run`. It
   * is empty if the name differs between several appliances.
   */
  readonly doing: (args: Args, shown: Fingerprint) => Text;
  readonly done: (args: Args, shown: Fingerprint) => Text;
  readonly preview: (context: AskingAppliance<Args>) => Promise<Preview>;
  /**
   * Facts to collect before the order that take too long for a preview, such as the state of thousands of
   * things. The journal stores them before anything is sent, and they join the fingerprint. If they are not
   * stored, nothing was sent.
   */
  readonly survey?: {
    readonly isNeeded: (shown: Fingerprint) => boolean;
    readonly take: (context: OnAppliance<Args>) => Promise<Fingerprint>;
  };
  readonly run: (context: OnAppliance<Args>, shown: Fingerprint) => Promise<Ran>;
  /**
   * Reads back. `shown` is the confirmed fingerprint with the results of `run`, so that a successor with the
   * same number does not pass. If nothing on the appliance can show the change, the reason instead, which
   * completes "not verified: …".
   */
  readonly verify:
    | ((context: AskingAppliance<Args>, shown: Fingerprint) => Promise<Verification>)
    | NotCheckable;
  /** The line that undoes it, if the opposite exists and `shown` has something to undo. */
  readonly undo?: (args: Args, shown: Fingerprint) => string | undefined;
  /**
   * For a change of many things: the parts of the old preview that are done meanwhile, by name. Undefined if
   * the rest has changed otherwise.
   */
  readonly doneOf?: (now: Fingerprint, then: Fingerprint, args: Args) => readonly string[] | undefined;
  /** The change happens inside a named thing, such as a category. If that is gone, this was not simply undone. */
  readonly within?: true;
  /**
   * Fields of the fingerprint besides those that the change sets or that identify a successor. Another value
   * there needs a new confirmation, but an undo of a temporary change does not overwrite it.
   */
  readonly beside?: readonly string[];
  /**
   * The argument whose values count as separate changes. A value that several people requested is undone when
   * nobody needs it any more.
   */
  readonly each?: string;
  /** The usual name of each such value, by its word, from a preview. */
  readonly called?: (shown: Fingerprint) => ReadonlyMap<string, string>;
  /** The fields whose values count as separate changes. */
  readonly fields?: FieldParts<Args>;
  /** Other things may depend on the result by then, so Undo shows its impact and asks. */
  readonly undoAsks?: true;
  /** The parts to compile before it takes effect (appliance-api.md §1 convention 3, §4.1–§4.3). */
  readonly requires?: (args: Args) => readonly Applied[];
  /** The parts that it compiles itself, so that no other compile is needed. */
  readonly satisfies?: (args: Args, shown: Fingerprint) => readonly Applied[];
  /** Switches something on that the bot must end by itself. */
  readonly timed?: Timed<Args>;
  /** Effects of other commands that it has too. The policy's rules for those apply. */
  readonly alsoDoes?: readonly AlsoDoes<Args>[];
  /** Collects lines. Each is a change of its own, and is previewed, authorized and run as one. */
  readonly gathers?: Gathers;
  /** The longest time that it may continue after the order, in milliseconds; the bot watches it that long. */
  readonly lasts?: number;
  /**
   * The longest time until the appliance shows the result of an accepted order, in milliseconds; the bot checks
   * until then. Ten minutes when absent.
   */
  readonly shownWithin?: number;
  /**
   * For orders that the appliance may refuse although they run (field notes): how long to look for progress
   * before reporting the refusal, in milliseconds. Visible progress is watched as long as `lasts`.
   */
  readonly lastsThoughRefused?: number;
  /** Does not wait for other changes or compiles on the appliance, because it does not depend on them. */
  readonly urgent?: true;
  /** May install another release. A new version does not make it a different appliance. */
  readonly upgrades?: true;
  /** Sends nothing to the appliance; only the bot's own state changes. */
  readonly sendsNothing?: true;
}

interface AlsoDoes<Args> {
  readonly name: string;
  /** The effect does not depend on the arguments. */
  readonly always?: true;
  /** The arguments of the other command for the same effect; undefined if there is none, as far as is known. */
  readonly with: (args: KnownOf<Args>) => Readonly<Record<string, unknown>> | undefined;
}

/** Arguments during a lookup, when some may still have any value. */
export type KnownOf<Args> = { readonly [Name in keyof Args]: Args[Name] | typeof anyValue };

/** The source of a plan's lines: typed, the rest of another plan, or the undo of one. */
export type Gathers = 'typed' | 'rest' | 'undos';

/** A change that ends by itself. Its time begins when it runs. */
export interface Timed<Args> {
  /** The name of the active state, as it begins a sentence: "Emergency mode". */
  readonly name: string;
  /** Milliseconds. */
  readonly lasts: (args: Args) => number;
  readonly reason: (args: Args) => string;
  /** The phrase of the command that ends it, without arguments. */
  readonly end: string;
  /** The names of the commands that extend it, and that confirm manually that it is over. */
  readonly extend: string;
  readonly confirm: string;
  /**
   * Whether it is still on. `seen`: it was seen on before, so its absence is evidence.
   * @throws ApplianceFailure
   */
  readonly look: (context: AskingAppliance<never>, seen: boolean) => Promise<Lasting>;
}

/** The content of `help` and `whoami`, from the same decision that guards every command. */
export interface Guide {
  readonly roles: readonly string[];
  readonly served: boolean;
  /** The channel's default. */
  readonly appliance: string | undefined;
  /** The appliances that `--on` may name here, including the default. */
  readonly appliances: readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly commands: readonly GuideEntry[];
  /** The team's own words for commands, and their lines. */
  readonly words: Readonly<Record<string, string>>;
  /** A reason beyond roles why little or nothing is allowed here: a guest, a channel without policy. */
  readonly obstacle: Text | undefined;
}

export interface GuideEntry {
  readonly command: AnyCommand;
  readonly allowed: boolean;
  readonly roles: readonly string[];
}

/**
 * The permissions in this channel under the current policy, in words. `line` is a command as typed, `on` its
 * `--on`.
 */
export interface Rights {
  readonly whoCan: (line: string, on: string | undefined) => Promise<Reply>;
  readonly can: (person: string, line: string, on: string | undefined) => Promise<Reply>;
  /** The approval that a command may need; undefined if none. */
  readonly approval: (command: AnyCommand) => Text | undefined;
}

/** Answers from the bot's own knowledge, only to the requester unless it says otherwise. */
export interface InfoDeclaration<Args> {
  readonly kind: 'info';
  /**
   * `write`: it leads to changes. Authorization treats it as a lookup, because each resulting change is
   * authorized as itself, with its own roles, approvals, tickets and freezes. The bot's own records (watches,
   * open requests, planned times) are open to everybody who may see them, or are restricted by the command
   * itself.
   */
  readonly effect: 'read' | 'write';
  /** Allowed to everybody, also without a policy. Only for answers about the person and the bot. */
  readonly anywhere: boolean;
  /**
   * The policy's own section says who may ask, from where, and for what. `alone`: no role gives it. `besides`:
   * roles give it too, and a person without such a role sees only their own requests.
   */
  readonly selfService?: 'alone' | 'besides';
  /** The label of its form's button, if it does more than answer. */
  readonly verb?: string;
  /** Answers in the channel like a lookup: with pages, and with files in its thread. */
  readonly posted?: true;
  /** About appliances: all of them unless `--on` names some. */
  readonly tellsOfAppliances?: true;
  /** Continues with a change and accepts `--dry-run`, which only previews it. */
  readonly dryRun?: true;
  readonly answer: (
    context: Situation & {
      readonly args: Args;
      readonly on: string | undefined;
      readonly dryRun: boolean;
      readonly guide: Guide;
      readonly rights: Rights;
      readonly history: History;
      readonly standing: Standing;
      readonly watches: WatchList;
      readonly requests: RequestBook;
      /** The requester's pending approvals and requests. */
      readonly waits: () => Promise<WaitsForPerson>;
      /** The IDs of people with this name. */
      readonly called: (name: string) => Promise<readonly string[]>;
      readonly temporary: () => Promise<readonly TemporaryThing[]>;
      readonly planned: () => Promise<readonly PlannedThing[]>;
      readonly plans: PlanBook;
      /** Other meanings of a line that names nothing of this command's kind, as buttons. */
      readonly otherwise: (line: string) => readonly Offer[];
      /** The thread of the command, by its first message. */
      readonly thread: string | undefined;
      /** The policy's windows and coming freezes. */
      readonly calendar: () => Calendar;
    },
  ) => Reply | Promise<InfoReply>;
}

export type Command<Phrase extends string, Arguments> = Common<Phrase, Arguments> &
  (
    | LookupDeclaration<Values<Phrase, Arguments>>
    | ChangeDeclaration<Values<Phrase, Arguments>>
    | InfoDeclaration<Values<Phrase, Arguments>>
  );

/**
 * A command for registry and flow. Only its own declaration knows its arguments, so here they are `never` and
 * nobody can invent any. `reading.ts` reads them by that declaration and passes them on.
 */
export type AnyCommand = Common<string, Readonly<Record<string, Argument>>> &
  (LookupDeclaration<never> | ChangeDeclaration<never> | InfoDeclaration<never>);

export type AnyChange = Extract<AnyCommand, { kind: 'change' }>;
export type AnyLookup = Extract<AnyCommand, { kind: 'lookup' }>;
