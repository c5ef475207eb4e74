import { z } from 'zod';
import { optional, type Stored } from '../../codec.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import type { PostedFile } from '../../handlers/lists/posted-file.ts';
import {
  type Chart,
  type Field,
  type MovedEnd,
  type Part,
  partKinds,
  type Reply,
  type Text,
  textShape,
} from '../../handlers/reply.ts';
import type { State } from '../../journal/actions/states.ts';
import type { Action } from '../../journal/journal.ts';
import type { Entered, Form } from './form.ts';
import type { SiteRequest } from './site-request.ts';

/** What stands in a message that somebody has forwarded. */
export interface ForwardedMessage {
  /** As it was written. */
  readonly text: string;
  /** All that is written in it, and the addresses that the chat itself made links of. */
  readonly texts: readonly string[];
  readonly links: readonly string[];
}

/** One person asking for something in one channel, however it arrived. */
export interface Invocation {
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  /** What was typed after the slash command, as it was typed; for a form, the line that says the same without its secrets. */
  readonly line: string;
  /** By which the journal knows that Slack handed this over (`Journal.isFirst`). */
  readonly delivery?: string | undefined;
  /** What a filled-in form asks for; a typed line is matched instead. */
  readonly asked?: Asked | undefined;
  /** The kept offer that was pressed. It is taken when it turns out to be allowed, and only once. */
  readonly offer?: string | undefined;
  /** The kept form that was sent; it is taken already. */
  readonly form?: string | undefined;
  /** Set when that click said yes to the change itself: an undo. Any other offer is a line, and asks like one. */
  readonly agreed?: true | undefined;
  /** Set when that line was guessed: a change is put before the person, whatever it is. */
  readonly guess?: true | undefined;
  /** Set when it takes back what an action did: it is about that very thing and no other. */
  readonly undo?: true | undefined;
  /** Set when that has taken something back itself: this makes the change again, and is a change as any other. */
  readonly redo?: true | undefined;
  /** That action: it knows what the numbers are called that the line has for it. */
  readonly origin?: Action | undefined;
  /** Why, as it was said beside a word that stands for a button: `undo --reason "…"`. */
  readonly reason?: string | undefined;
  /** Asked for with others by one button: why some of them are refused is told together, when all are asked for. */
  readonly refusals?: RefusedLine[] | undefined;
  /** Set when it only moves the end of what an action has made temporary. */
  readonly moves?: MovedEnd | undefined;
  /** Set when the person knows that they may not, and asks those who may. */
  readonly accessRequest?: true | undefined;
  /** The site that it would allow, of which somebody asks: they hear of it in their own words, and not of this line. */
  readonly forSite?: SiteRequest | undefined;
  /** Lets a form be opened before this person, within three seconds. */
  readonly trigger?: string | undefined;
  /** Where only this person reads. Short-lived and secret: never stored, never logged. */
  readonly replyTo?: string | undefined;
  /** The thread they are looking at, because they have written or pressed a button in it. */
  readonly thread?: string | undefined;
  readonly askedIn?: AskedIn | undefined;
  /** They are not looking at the channel: what is said to them alone goes to a direct message. */
  readonly inPerson?: true | undefined;
  /** Set when a step of a workflow asks, in the bot's own name: nobody knows who started it or reads what is said to it. */
  readonly unattended?: true | undefined;
  /** What came with it; on the card what of its words was read from a file, and its line with the name of the file in their place. */
  readonly files?: readonly PostedFile[] | undefined;
  /** The messages that were forwarded with it: what its words are about, and never words of its own. */
  readonly forwarded?: readonly ForwardedMessage[] | undefined;
  readonly sources?: readonly Field[] | undefined;
  /** Set when its time has come: its owner has not typed it now, and may not be there. */
  readonly scheduled?: true | undefined;
}

/** Where something is asked, and answered, that was not typed into its channel itself. */
export type AskedIn = Stored<typeof askedInShape>;
export const askedInShape = z.object({
  /** The first message of a thread. */
  below: z.string().optional(),
  /** A direct message with the bot; the invocation's channel is then the one whose rules count. */
  direct: z.string().optional(),
});

/** What was given for each slot: words, and files. */
export const typedShape = z.record(
  z.string(),
  z.array(z.union([z.string(), z.object({ id: z.string(), name: z.string(), size: z.number() })])),
);

/** A click on a button of a message. */
export interface Press {
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  readonly button: Button['press'];
  /** What the button carried: opaque. */
  readonly token: string;
  /** Which one, where several buttons share a token: a page, a kind of file. */
  readonly detail?: string | undefined;
  /** The message the button stands in; none on the person's own page, whose ID is then the channel. */
  readonly card: string | undefined;
  /** The thread that message stands in, below another one. */
  readonly thread?: string | undefined;
  /** Only this person sees the message. */
  readonly whispered?: boolean | undefined;
  readonly trigger?: string | undefined;
  readonly replyTo?: string | undefined;
  /** The direct message that it stands in; `channel` is then the one that it is about. */
  readonly direct?: string | undefined;
  readonly inPerson?: true | undefined;
}

/** What a click on a button can be; `actions.ts` says which stage answers each. */
export const presses = [
  'confirm',
  'cancel',
  'approve',
  'deny',
  'offer',
  'form',
  'build',
  'page',
  'filter',
  'export',
  'reschedule',
] as const;

/** A button, and all that a click on it says. What it stands for is in the journal, under the token. */
export type Button = Stored<typeof buttonShape>;
const buttonShape = z.object({
  press: z.enum(presses),
  label: z.string(),
  /** What it is about, for whoever only hears it: "Undo: vlan stop 3". */
  about: optional(z.string()),
  token: z.string(),
  detail: optional(z.string()),
  style: optional(z.enum(['primary', 'danger'])),
});

/** What is said in a message: a reply whose offers have become buttons, and whose long parts fit. */
export interface Said {
  readonly headline: Text;
  readonly details?: readonly SaidPart[];
  /** What goes to the thread after it, in messages of their own: a message has room for one long table. */
  readonly next?: readonly Said[];
  /** What is too long for a message. They go to the thread, after all that. */
  readonly files?: readonly Attachment[];
}
export type SaidPart =
  | Exclude<Part, { kind: 'offers' }>
  /** `beside`: the line that a single button belongs to, in one row with it. */
  | { readonly kind: 'buttons'; readonly buttons: readonly Button[]; readonly beside?: Text | undefined }
  /** Of pages: what follows is about something else, and begins with air and a title. */
  | { readonly kind: 'section'; readonly title: string };

export const partShape: z.ZodType<SaidPart> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('buttons'), buttons: z.array(buttonShape), beside: optional(textShape) }),
  ...Object.values(partKinds).map(({ shape }) => shape),
]);

const chart: z.ZodType<Chart> = partKinds.chart.shape;

export type Attachment = Stored<typeof attachmentShape>;
const attachmentShape = z.object({
  /** With its ending: "records.csv". */
  name: z.string(),
  title: z.string(),
  /** A chart is drawn. */
  content: z.union([z.string(), chart]),
  /** Said along with it. */
  words: optional(textShape),
});

export const saidShape: z.ZodType<Said> = z.object({
  headline: textShape,
  details: optional(z.array(partShape)),
  next: optional(z.array(z.lazy(() => saidShape))),
  files: optional(z.array(attachmentShape)),
});

/** A form that was sent. */
export interface Submission {
  readonly team: string;
  readonly person: string;
  readonly token: string;
  readonly entered: Entered;
  readonly trigger?: string | undefined;
}

/** What becomes of a form that was sent, for the form itself. */
export type SubmissionResult =
  /** It closes, and this is asked. */
  | { readonly kind: 'accepted'; readonly invocation: Invocation }
  /** It closes, and this follows. */
  | { readonly kind: 'closed'; readonly listener: Listener; readonly follow: () => Promise<void> }
  /** This form takes its place. */
  | { readonly kind: 'next'; readonly form: Form }
  /** It stays, with what is wrong under each input. */
  | { readonly kind: 'problems'; readonly problems: Readonly<Record<string, Text>> }
  /** It cannot be sent any more; these words take its place. */
  | { readonly kind: 'over'; readonly why: Text };

/** A line that was refused, and what its owner is told. */
export interface RefusedLine {
  readonly action: string;
  readonly line: string;
  readonly reply: Reply;
}

/** Whom a whisper is for. */
export type Listener = Pick<
  Invocation,
  'channel' | 'person' | 'replyTo' | 'thread' | 'askedIn' | 'inPerson' | 'forSite'
>;

/** The message of an action: asked, running, finished. One message in the channel, changed as the action moves on. */
export interface Card {
  readonly kind: 'lookup' | 'change';
  readonly action: string;
  readonly channel: string;
  /** The first message of the thread that it stands in, if it does. */
  readonly thread?: string | undefined;
  /** The message's timestamp once it stands. */
  readonly card: string | undefined;
  /** The channel whose rules count, where that is another one. */
  readonly rulesOf?: string | undefined;
  readonly state: State;
  readonly asker: string;
  readonly line: string;
  readonly appliances: readonly string[];
  /** The newest moment of all that it shows; and of an answer, when it was read. Milliseconds since the epoch. */
  readonly at: number;
  readonly asOf?: number | undefined;
  readonly headline: Text;
  readonly parts: readonly SaidPart[];
  /** What it began is on and must not stay on, however its action ended; or all of it was taken back. */
  readonly alarm?: boolean | undefined;
  readonly isUndone?: boolean | undefined;
  /** What went wrong on the way, or happened to the card itself. */
  readonly notice?: Text | undefined;
  readonly progress?: Text | undefined;
  readonly question?:
    | {
        readonly token: string;
        readonly verb: string;
        readonly expiresAt: number;
        /** The click that is waited for is of somebody else. */
        readonly approval: boolean;
      }
    | undefined;
}

/** How an action speaks to people; nothing on this side knows Slack. What says something anew rejects with `ChatRefused` when the
 * channel cannot be written to. By its `key` a message can be found again, where it is not known whether it got out. */
export interface Chat {
  /** Posts a card, or changes it where it stands; resolves to the timestamp of its message. */
  readonly show: (card: Card, key?: string) => Promise<string>;
  /**
   * Adds to the thread of a card; resolves to the timestamp of the first message, or of the card where there are only
   * files. Of files that the chat does not take the thread is told. `at`: the newest moment of what is said, now unless told.
   */
  readonly reply: (thread: Thread, said: Said, key?: string, at?: number) => Promise<string>;
  /** Says something on its own, in a channel or to a person. */
  readonly post: (channel: string, said: Said, key?: string) => Promise<string>;
  /** Looks for a message of the bot's own by its key, among those since a moment (milliseconds since the epoch). */
  readonly find: (place: Place, key: string, since: number) => Promise<MessageSearch>;
  /** What the bot has noted on messages of its own: on this one, in whatever thread, or on those of a channel, newest first. */
  readonly stamps: (place: Place, ts?: string) => Promise<Stamps>;
  /**
   * Says something else in the place of what `reply` said. What was whispered can be changed only by way of a click on it,
   * which is `replyTo`. `noted`: of a message that has a key, with the newest moment of what is said.
   */
  readonly edit: (
    message: Pick<Invocation, 'channel' | 'thread' | 'replyTo'> & { readonly ts: string },
    said: Said,
    noted?: { readonly key: string; readonly at: number },
  ) => Promise<void>;
  /**
   * Says something to one person only: where they asked, or in a direct message where the bot cannot speak or their own ID
   * is the channel. Rejects with `ChatRefused`, at once where they may have seen it: nobody can look whether they have.
   */
  readonly ephemeral: (to: Listener, said: Said) => Promise<void>;
  /** Says something to one person in a direct message, which stays. False, and logged, when not all of it could be said. */
  readonly notify: (person: string, said: Said) => Promise<boolean>;
  /** Opens a form before a person. False when it came too late or the chat did not open it. */
  readonly openForm: (trigger: string, form: Form) => Promise<boolean>;
  /** Whether the chat is known not to answer: what is said meanwhile is refused, and nothing of it leaves. */
  readonly isAway: () => boolean;
}

/** A channel, or the thread below a message in it. */
export interface Place {
  readonly channel: string;
  readonly card?: string | undefined;
}

/** A message and what stands below it. */
export interface Thread extends Place {
  readonly card: string;
  /** Seen in the channel, too. */
  readonly broadcast?: true;
}

/** The codes of what was not tried: the chat is known not to answer, or the channel has more to read than the bot says there at its pace. */
export const slackAway = 'slack_away';
export const ownPace = 'busy_channel';

type Prospects = Partial<Omit<ChatRefused, keyof Error | 'code'>>;

/** The chat did not take a message; `code` is the chat's own. */
export class ChatRefused extends Error {
  override readonly name = 'ChatRefused';
  readonly code: string;
  /** It is the chat's or the network's own trouble, so it may take the message later. */
  readonly isPassing: boolean;
  /** And it may have taken it already. */
  readonly mayStand: boolean;
  /** What of the message it does not take, by its verdict: elsewhere, or plainer, it may be taken. `unknown`: its code is known to nobody. `token`: it takes nothing of the bot's until somebody has mended that. */
  readonly about: 'place' | 'thread' | 'content' | 'other' | 'unknown' | 'token' | undefined;
  /** It takes nothing there before that moment, as it says: milliseconds since the epoch. */
  readonly until: number | undefined;

  constructor(code: string, { isPassing = false, mayStand = false, about, until }: Prospects = {}) {
    super(`The chat refused the message: ${code}`);
    this.code = code;
    this.isPassing = isPassing;
    this.mayStand = mayStand;
    this.about = about;
    this.until = until;
  }
}

/** What became of somebody's own page. `outdated`: another replica has shown them another one meanwhile. `refused`: the chat did not take it. */
export type HomeShown = 'shown' | 'outdated' | 'refused';

/** Whether something could be said. For where a refusal changes nothing: the chat has logged it. */
export const gotOut = (said: Promise<unknown>): Promise<boolean> =>
  said.then(
    () => true,
    (error) => (error instanceof ChatRefused ? false : Promise.reject(error)),
  );

/** How something is asked there, and answered. */
export const inPlaceOf = (
  askedIn: AskedIn | undefined,
): Pick<Invocation, 'askedIn' | 'thread' | 'inPerson'> => ({
  askedIn,
  thread: askedIn?.below,
  ...(askedIn?.direct !== undefined && { inPerson: true }),
});

/**
 * What the bot notes on a message that it may repeat or change later. People do not see it, and other apps can read it: it
 * only tells what belongs together.
 */
export interface Stamp {
  /** By which it is found again. */
  readonly key?: string | undefined;
  /** The generation of the journal that knew what the message says; absent where it did not know all of it yet. */
  readonly journal?: string | undefined;
  /** The newest moment of what the message says: milliseconds since the epoch. */
  readonly at?: number | undefined;
  /** Of a card: of what, and how that stood. */
  readonly action?: string | undefined;
  readonly state?: State | undefined;
  readonly isChange?: boolean | undefined;
}

/** A message of the bot's own, and what is noted on it. */
export interface Stamped {
  readonly ts: string;
  readonly stamp: Stamp;
}

export type Stamps =
  | { readonly kind: 'read'; readonly messages: readonly Stamped[] }
  /** The chat does not let the bot read there. */
  | { readonly kind: 'cannot_look' }
  /** The chat does not answer now. */
  | { readonly kind: 'try_later' };

/** Whether a message stands that may have got out. */
export type MessageSearch =
  | { readonly kind: 'stands'; readonly ts: string }
  | { readonly kind: 'not_there' }
  /** The chat does not let the bot read there. */
  | { readonly kind: 'cannot_look' }
  /** The chat does not answer now. */
  | { readonly kind: 'try_later' };
