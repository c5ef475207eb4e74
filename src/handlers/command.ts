import type { Effect } from '../api/index.ts';
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
 * A phrase is written as people type it, with slots for what they fill in:
 * `rdp disconnect <session>`, `categorize <domain>…` (one or more), `[topic]` (one or none),
 * `help [topic]…` (any number), and options by name, which stand anywhere after it: `<--reason>` (wanted), `[--user]`.
 * Small words may stand between the slots: `category move <site> from <category> to <other>`.
 * The shapes of the arguments are inferred from it.
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

/** One `Argument` per slot of the phrase, under the slot's name. */
export type ArgumentsFor<Phrase extends string> = { readonly [name in keyof Slots<Phrase>]: Argument };

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

/** What is said of every command. */
export interface Described<Phrase extends string> {
  /** Literal words first: the area, a noun, a verb. Other orders, plurals and `list` are understood without being written. */
  readonly phrase: Phrase;
  /** Other ways to say the same, with the same slots, that do not follow from the phrase. */
  readonly also?: readonly string[];
  /**
   * How people ask for it who have not read the docs, one after the other with ` / ` between them, and with names in
   * angle brackets for what they name: `kick <session> / is <domain> blocked`. `<somebody>` and `<place>` make no difference to the answer.
   * Nothing runs because of them alone: they
   * decide what is offered (`understanding/`).
   */
  readonly says?: string;
  /**
   * Whether a line that is no command by its own words means this one, and nothing else: for what people answer and ask in too many ways
   * to write them down. It is asked for by that, so it must be a lookup or an info.
   */
  readonly hears?: (line: string) => boolean;
  /** One line for the help, as an order: "Disconnect an open remote-desktop session". */
  readonly summary: string;
  /** What it is about, typed alone, asks for it: `example.com` is `why example.com`. One without slots is about an appliance. */
  readonly byNameAlone?: true;
  /** Shows more than the channel it is typed in: only a role that names its area or its phrase may run it. */
  readonly named?: true;
  /** It is answered where it is typed, and stands in no list of commands, form or help: nobody would choose it there. */
  readonly unlisted?: true;
  /** Lines that must have been run before the example makes sense: what it undoes, what it needs. */
  readonly before?: readonly string[];
}

interface Common<Phrase extends string, Arguments> extends Described<Phrase> {
  readonly args: Arguments;
  /** Runs as it stands in the sandbox, after those of `before`. */
  readonly example: string;
}

/** Asks an appliance and answers in the channel. */
export interface LookupDeclaration<Args> {
  readonly kind: 'lookup';
  readonly effect: 'read';
  readonly answer: (context: AskingAppliance<Args>) => Promise<Reply>;
  /** It puts something on watch: what is looked at from then on. */
  readonly watches?: Watchable;
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
  /**
   * While it runs and when it is done: "Disconnecting session 12 of bob.miller", "Session 12 of bob.miller disconnected".
   * `shown` tells the name of what goes by a number: the fingerprint that was confirmed, with what `run` learned. It is
   * empty where several appliances are meant, and it has not the same name on all of them.
   */
  readonly doing: (args: Args, shown: Fingerprint) => Text;
  readonly done: (args: Args, shown: Fingerprint) => Text;
  readonly preview: (context: AskingAppliance<Args>) => Promise<Preview>;
  /**
   * What must be known before the order is sent, and takes too long for a preview: how each of thousands of things is now. It
   * is written down before anything is sent, and joins the fingerprint. Where it is not written down, nothing was sent.
   */
  readonly survey?: {
    readonly isNeeded: (shown: Fingerprint) => boolean;
    readonly take: (context: OnAppliance<Args>) => Promise<Fingerprint>;
  };
  readonly run: (context: OnAppliance<Args>, shown: Fingerprint) => Promise<Ran>;
  /**
   * Reads back. `shown` is the fingerprint that was confirmed, so that a successor under the same number is not mistaken
   * for it, with what `run` learned. Where nothing on the appliance can show it, the reason instead, as the end of
   * "not verified: …".
   */
  readonly verify:
    | ((context: AskingAppliance<Args>, shown: Fingerprint) => Promise<Verification>)
    | NotCheckable;
  /** The line that takes it back, where the opposite exists and `shown` tells that there is something to take back. */
  readonly undo?: (args: Args, shown: Fingerprint) => string | undefined;
  /**
   * Of what consists of many: what is not to be done any more of what was shown then, because it was done meanwhile, as the words that
   * name it. Undefined where what is left is otherwise than it was.
   */
  readonly doneOf?: (now: Fingerprint, then: Fingerprint, args: Args) => readonly string[] | undefined;
  /** It is done within what it names, such as a category: where that is gone, more has happened than that this was taken back. */
  readonly within?: true;
  /**
   * What its fingerprint has beside what it sets itself, and what tells it from a successor. With another content it is another question
   * to whoever confirms it, but where it takes back what was temporary it overwrites nothing of that.
   */
  readonly beside?: readonly string[];
  /**
   * The argument of which each value is a change of its own: of a list that several people want, each part is undone when nobody
   * wants it any more.
   */
  readonly each?: string;
  /** What people call each value of that, by its word, where they say it otherwise when they ask for it: from what a preview shows. */
  readonly called?: (shown: Fingerprint) => ReadonlyMap<string, string>;
  /** The same of fields that it sets: each of them, with its value, is a change of its own. */
  readonly fields?: FieldParts<Args>;
  /** Set where by then something may hang on what was made: the click on Undo shows what would go, and asks. */
  readonly undoAsks?: true;
  /** What must be compiled before it takes effect (appliance-api.md §1 convention 3, §4.1–§4.3). */
  readonly requires?: (args: Args) => readonly Applied[];
  /** What it compiles itself, so that nobody else has to. */
  readonly satisfies?: (args: Args, shown: Fingerprint) => readonly Applied[];
  /** What it switches on must not stay on: the bot ends it by itself. */
  readonly timed?: Timed<Args>;
  /** It does nothing itself: it gathers lines, each of which is a change of its own, and is looked at, allowed and run as one. */
  readonly gathers?: Gathers;
  /** For what goes on after the order was taken: how long it is watched at most, in milliseconds. */
  readonly lasts?: number;
  /**
   * How long after it has accepted the order the appliance may show it at the latest, in milliseconds: so long it is looked at again.
   * Ten minutes, where nothing is declared.
   */
  readonly shownWithin?: number;
  /**
   * For what the appliance may refuse although it is under way (field notes): how long it is looked for all the same before a refusal
   * is told, in milliseconds. What is seen to go on is watched for as long as it lasts.
   */
  readonly lastsThoughRefused?: number;
  /** It waits for no other change and no compile on the appliance: what it does has nothing to do with what they do. */
  readonly urgent?: true;
  /** Its appliance is asked for nothing: what it changes is known to the bot alone. */
  readonly sendsNothing?: true;
}

/** Where the lines of a plan come from: they were typed, are left over from another plan, take one back, or take back what was done in a time. */
export type Gathers = 'typed' | 'rest' | 'undos' | 'history';

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

/** What `help` and `whoami` show; filled by the flow from the same decision that guards every command. */
export interface Guide {
  /** The roles this person holds in this channel. */
  readonly roles: readonly string[];
  /** Whether the channel is in the policy at all. */
  readonly served: boolean;
  /** The channel's default. */
  readonly appliance: string | undefined;
  /** Those that `--on` may name here, its default among them, by their names or their tags. */
  readonly appliances: readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly commands: readonly GuideEntry[];
  /** The team's own words for commands, with the line that each stands for. */
  readonly words: Readonly<Record<string, string>>;
  /** Why nothing or little is allowed here, where there is a reason beyond roles: a guest, a channel without policy. */
  readonly obstacle: Text | undefined;
}

export interface GuideEntry {
  readonly command: AnyCommand;
  readonly allowed: boolean;
  /** The roles here that may run it, weakest first. */
  readonly roles: readonly string[];
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
  /**
   * `write`: it leads to changes. It is decided as the lookup that it begins as: each change that it leads to is asked for as
   * itself, with its own roles, approvals, tickets and freezes, and what the bot alone keeps (its watches, its open requests,
   * the times of what is planned) is open to whoever may see it, or says itself to whom it is.
   */
  readonly effect: 'read' | 'write';
  /** Allowed to everybody, also where no policy is: only for what tells people about themselves and the bot. */
  readonly anywhere: boolean;
  /**
   * The policy's own section says who may ask, from where, and for what. `alone`: no role gives it; `besides`: roles give it, too, and whoever
   * only may ask is told of nothing but what they have asked for.
   */
  readonly selfService?: 'alone' | 'besides';
  /** What the button of its form says, where it does more than answer. */
  readonly verb?: string;
  /** It is answered in the channel, as if an appliance had been asked: with pages, and with files in its thread. */
  readonly posted?: true;
  /** It tells of appliances: of all of them unless `--on` names some. */
  readonly tellsOfAppliances?: true;
  /** It goes on with a change, and takes `--dry-run`, with which it only tells what that would be. */
  readonly dryRun?: true;
  readonly answer: (
    context: Situation & {
      readonly args: Args;
      /** What stood after `--on`. */
      readonly on: string | undefined;
      readonly dryRun: boolean;
      readonly guide: Guide;
      readonly rights: Rights;
      readonly history: History;
      readonly standing: Standing;
      readonly watches: WatchList;
      readonly requests: RequestBook;
      /** What waits for whoever asks. `changes`: without requests for sites. */
      readonly waits: (of?: 'all' | 'changes') => Promise<WaitsForPerson>;
      /** The IDs of those who are called so. */
      readonly called: (name: string) => Promise<readonly string[]>;
      /** What is on for a time in this channel. */
      readonly temporary: () => Promise<readonly TemporaryThing[]>;
      /** What is planned in this channel. */
      readonly planned: () => Promise<readonly PlannedThing[]>;
      readonly plans: PlanBook;
      /** What else a line may mean that names nothing of what this command takes, as buttons. */
      readonly otherwise: (line: string) => readonly Offer[];
      /** The thread in which it is asked, by the message at its head. */
      readonly thread: string | undefined;
      /** The policy's windows, and the freezes that lie ahead. */
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
 * A command as the registry and the flow see it. Which arguments it takes is known to its own declaration only, so
 * here they are `never`: nobody can make some up, and `reading.ts`, which reads them by that declaration, hands them on.
 */
export type AnyCommand = Common<string, Readonly<Record<string, Argument>>> &
  (LookupDeclaration<never> | ChangeDeclaration<never> | InfoDeclaration<never>);

/** A command that changes something, as the way of an action sees it. */
export type AnyChange = Extract<AnyCommand, { kind: 'change' }>;
export type AnyLookup = Extract<AnyCommand, { kind: 'lookup' }>;
