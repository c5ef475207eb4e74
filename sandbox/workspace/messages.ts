import { randomUUID } from 'node:crypto';
import type { Changes } from './changes.ts';
import { entitiesOf, showEntity } from './entities/entity.ts';
import { type StoredFile, showFile } from './files.ts';
import type { Attachment, Block, Message, Reaction } from './protocol.ts';

/** A message as the workspace keeps it. Only this file changes one. */
export interface Stored {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly isApp: boolean;
  /** Slack's own messages in a channel, in the name of the member that they are about. */
  readonly subtype: MembershipSubtype | undefined;
  /** The ID of the workflow's step that posted it. */
  readonly step: string | undefined;
  /** The client's own ID of what a person typed. */
  readonly clientMsgId: string | undefined;
  text: string;
  blocks: readonly Block[] | undefined;
  attachments: readonly unknown[] | undefined;
  metadata: unknown;
  readonly files: readonly StoredFile[];
  readonly threadTs: string | undefined;
  /** A reply that stands in the channel, too (`reply_broadcast`). */
  readonly isBroadcast: boolean;
  readonly replies: Stored[];
  editedTs: string | undefined;
  /** In the order in which they came. */
  reactions: readonly Reaction[];
  readonly ephemeralTo: string | undefined;
}

type MembershipSubtype = 'channel_join' | 'channel_leave' | 'group_join' | 'group_leave';

/** The content of a message, checked already (see content.ts). */
export interface Content {
  readonly text: string;
  readonly blocks?: readonly Block[] | undefined;
  readonly attachments?: readonly unknown[] | undefined;
  readonly metadata?: unknown;
}

export interface Draft extends Content {
  readonly channel: string;
  readonly user: string;
  readonly isApp: boolean;
  readonly subtype?: MembershipSubtype;
  readonly step?: string | undefined;
  readonly files?: readonly StoredFile[];
  readonly threadTs?: string | undefined;
  readonly isBroadcast?: boolean;
}

/** Hears of everything in channels except private messages. */
export interface Witness {
  posted(message: Stored): void;
  changed(message: Stored, before: Stored): void;
  removed(message: Stored): void;
}

interface Log {
  readonly byTs: Map<string, Stored>;
  /** Everything that is not a reply, oldest first. */
  readonly parents: Stored[];
  lastMicros: number;
}

/** How many parents of a channel, and how many ephemeral messages of a person, a page is shown. */
const shown = 500;

/** All messages. A `ts` is unique in its channel only, as in Slack: two channels may well hold the same one. */
export class Messages {
  readonly #now: () => number;
  readonly #changes: Changes;
  readonly #channels = new Map<string, Log>();
  readonly #ephemerals = new Map<string, Map<string, Stored>>();

  readonly #retention: number;
  readonly #witness: Witness;

  /** `retention`: milliseconds for which messages are kept. */
  constructor(now: () => number, changes: Changes, retention: number, witness: Witness) {
    this.#now = now;
    this.#changes = changes;
    this.#retention = retention;
    this.#witness = witness;
  }

  find(channel: string, ts: string): Stored | undefined {
    return this.#channels.get(channel)?.byTs.get(ts);
  }

  /** The public content of a channel and its threads, oldest first. */
  standing(channel: string): readonly Stored[] {
    return [...(this.#channels.get(channel)?.byTs.values() ?? [])];
  }

  findEphemeral(to: string, channel: string, ts: string): Stored | undefined {
    return this.#ephemerals.get(to)?.get(`${channel} ${ts}`);
  }

  post(draft: Draft): Stored {
    const log = this.#log(draft.channel);
    this.#forgetOld(log);
    const message = this.#write(draft, log, undefined);
    log.byTs.set(message.ts, message);
    const parent = message.threadTs === undefined ? undefined : log.byTs.get(message.threadTs);
    // A reply to a reply hangs in a thread nobody looks at: Slack takes it and misplaces it (slack-facts.md §1).
    if (parent === undefined || parent.threadTs !== undefined) log.parents.push(message);
    else parent.replies.push(message);
    this.#changes.tell({ type: 'message', channel: message.channel, message: show(message) });
    this.#witness.posted(message);
    return message;
  }

  #forgetOld(log: Log): void {
    const oldest = (this.#now() - this.#retention) / 1_000;
    const kept = log.parents.findIndex(({ ts }) => Number(ts) >= oldest);
    for (const { ts, replies } of log.parents.splice(0, kept === -1 ? log.parents.length : kept)) {
      for (const gone of [ts, ...replies.map((reply) => reply.ts)]) log.byTs.delete(gone);
    }
  }

  whisper(draft: Draft, to: string): Stored {
    const message = this.#write(draft, this.#log(draft.channel), to);
    const mine = this.#ephemerals.get(to) ?? new Map<string, Stored>();
    this.#ephemerals.set(to, mine);
    mine.set(`${message.channel} ${message.ts}`, message);
    const oldest = mine.keys().next().value;
    if (mine.size > shown && oldest !== undefined) mine.delete(oldest);
    this.#changes.tell({ type: 'ephemeral', channel: message.channel, to, message: show(message) });
    return message;
  }

  /** Replaces the given parts; `null` removes the blocks, attachments or metadata. */
  rewrite(
    message: Stored,
    change: {
      readonly text?: string | undefined;
      readonly blocks?: readonly Block[] | null | undefined;
      readonly attachments?: readonly unknown[] | null | undefined;
      readonly metadata?: unknown;
    },
  ): void {
    const before = { ...message };
    // No "(edited)" when only the blocks change (slack-facts.md §1).
    if (change.text !== undefined && change.text !== message.text) message.editedTs = this.#stamp(message);
    if (change.text !== undefined) message.text = change.text;
    if (change.blocks !== undefined) message.blocks = change.blocks ?? undefined;
    if (change.attachments !== undefined) message.attachments = change.attachments ?? undefined;
    if (change.metadata !== undefined) message.metadata = change.metadata ?? undefined;
    this.#changes.tell({ type: 'changed', channel: message.channel, message: show(message) });
    if (message.ephemeralTo === undefined) this.#witness.changed(message, before);
  }

  /** Reactions do not change a message: listeners hear of them in events of their own. */
  mark(message: Stored, reactions: readonly Reaction[]): void {
    message.reactions = reactions;
    this.#changes.tell({ type: 'changed', channel: message.channel, message: show(message) });
  }

  remove(message: Stored): void {
    if (message.ephemeralTo !== undefined) {
      this.#ephemerals.get(message.ephemeralTo)?.delete(`${message.channel} ${message.ts}`);
    } else {
      const log = this.#log(message.channel);
      log.byTs.delete(message.ts);
      const parent = message.threadTs === undefined ? undefined : log.byTs.get(message.threadTs);
      take(log.parents, message);
      if (parent !== undefined) take(parent.replies, message);
    }
    this.#changes.tell({ type: 'deleted', channel: message.channel, ts: message.ts });
    if (message.ephemeralTo === undefined) this.#witness.removed(message);
  }

  /**
   * The messages of these channels that a person sees: the newest parents with their replies, and their own ephemeral
   * messages; oldest first.
   */
  seenBy(person: string, channels: readonly string[]): Message[] {
    const seen: Message[] = [];
    for (const id of channels) {
      const parents = this.#channels.get(id)?.parents ?? [];
      for (const parent of parents.slice(-shown)) {
        seen.push(show(parent));
        for (const reply of parent.replies) seen.push(show(reply));
      }
    }
    for (const message of this.#ephemerals.get(person)?.values() ?? []) seen.push(show(message));
    return seen.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
  }

  #log(channel: string): Log {
    const known = this.#channels.get(channel);
    if (known !== undefined) return known;
    const log = { byTs: new Map(), parents: [], lastMicros: 0 };
    this.#channels.set(channel, log);
    return log;
  }

  #write(draft: Draft, log: Log, ephemeralTo: string | undefined): Stored {
    log.lastMicros = Math.max(log.lastMicros + 1, Math.floor(this.#now() * 1000));
    return {
      ts: timestamp(log.lastMicros),
      channel: draft.channel,
      user: draft.user,
      isApp: draft.isApp,
      subtype: draft.subtype,
      step: draft.step,
      clientMsgId: draft.isApp || draft.subtype !== undefined ? undefined : randomUUID(),
      text: draft.text,
      blocks: draft.blocks,
      attachments: draft.attachments,
      metadata: draft.metadata,
      files: draft.files ?? [],
      threadTs: draft.threadTs,
      isBroadcast: draft.isBroadcast ?? false,
      replies: [],
      editedTs: undefined,
      reactions: [],
      ephemeralTo,
    };
  }

  #stamp(message: Stored): string {
    return timestamp(Math.max(Number(message.ts.replace('.', '')) + 1, Math.floor(this.#now() * 1000)));
  }
}

/** A message as the page is shown it. */
function show(message: Stored): Message {
  const entities = entitiesOf(message);
  // An attachment for an entity is shown as an entity.
  const attachments = ((message.attachments ?? []) as readonly (Attachment & { entity?: unknown })[]).filter(
    ({ entity }) => entity === undefined,
  );
  return {
    ts: message.ts,
    channel: message.channel,
    user: message.user,
    text: message.text,
    ...(message.blocks === undefined ? {} : { blocks: message.blocks }),
    ...(message.files.length === 0 ? {} : { files: message.files.map(showFile) }),
    ...(entities.length === 0 ? {} : { entities: entities.map(showEntity) }),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(message.isBroadcast ? { is_broadcast: true } : {}),
    reply_count: message.replies.length,
    reply_users: [...new Set(message.replies.map((reply) => reply.user))],
    edited: message.editedTs !== undefined,
    ...(message.reactions.length === 0 ? {} : { reactions: message.reactions }),
    ...(message.ephemeralTo === undefined ? {} : { ephemeral_to: message.ephemeralTo }),
  };
}

/** Microseconds since 1970 in Slack's spelling: seconds, a dot, six digits. */
function timestamp(micros: number): string {
  const digits = String(micros).padStart(16, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

function take<T>(list: T[], item: T): void {
  // Searches backwards, because removed items are nearly always new.
  const index = list.lastIndexOf(item);
  if (index >= 0) list.splice(index, 1);
}
