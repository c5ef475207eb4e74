import { z } from 'zod';
import type { Envelope } from './envelope.ts';
import type { SlotNames } from './path.ts';

/**
 * What an operation does to the appliance. Retries, confirmations and the journal go by this word and never by the
 * HTTP method, because in this API a GET can restart a server (appliance-api.md §1 convention 2).
 */
export type Effect =
  | 'read'
  /** Changes something that can be put back. */
  | 'write'
  /** Drops, disconnects, restarts, deletes, opens the gate, runs foreign code. */
  | 'destructive'
  /** The document does not say; handled as destructive. */
  | 'unknown';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What path slots accept, by slot name. */
export type SlotSchemas = Readonly<Record<string, z.ZodType<string | number>>>;

/**
 * One operation of the appliance, declared once. Everything else about it is derived: the types of its call, how
 * often it may be sent, which key goes with it.
 */
export interface Endpoint<
  Path extends string = string,
  Slots = SlotSchemas,
  Reply = unknown,
  Does extends Effect = Effect,
> {
  readonly method: Method;
  /** The path with its slots in braces, as it stands in the document: `/rdpproxy/sessions/{id}/disconnect`. */
  readonly path: Path;
  /** Kept as the very word by the types: what only reads is known to the compiler (`AskedAppliance`). */
  readonly effect: Does;
  /** Schemas for the slots that are more than text; a slot without one takes text. */
  readonly slots?: Slots;
  /**
   * True where the document makes Status false an answer and not a refusal (§7.3). The reader then sees it;
   * everywhere else a false never reaches the reader.
   */
  readonly falseIsAnswer?: boolean;
  /**
   * Makes the value of the call out of the answer. Throws a ZodError or a `Misfit` when it is not what the document
   * describes, a `Refusal` when it is a refusal after all.
   */
  readonly reply: (answer: Envelope) => Reply;
  /** Where the operation is described, such as "§4.3". */
  readonly section: string;
  /** The first releases that have it, word for word from §9; undefined when the document names none. */
  readonly availableFrom?: string;
}

/** The arguments of a call, by name: every slot of the path, typed by its schema or as text. */
export type ArgumentsOf<Path extends string, Slots> = {
  readonly [Name in SlotNames<Path>]: Name extends keyof Slots ? z.input<Slots[Name]> : string;
};

/** Refuses schemas for slots that the path does not have. */
type OnlySlotsOf<Path extends string, Slots> = {
  readonly slots?: { readonly [Name in Exclude<keyof Slots, SlotNames<Path>>]: never };
};

/** Declares an operation. The argument and reply types follow from what is written here. */
export function endpoint<
  const Path extends string,
  Reply,
  const Does extends Effect,
  Slots extends SlotSchemas = Readonly<Record<never, never>>,
>(
  declaration: Endpoint<Path, Slots, Reply, Does> & OnlySlotsOf<Path, Slots>,
): Endpoint<Path, Slots, Reply, Does> {
  return declaration;
}

/** An answer that is JSON but cannot be understood; the client makes an `UnexpectedReply` of it. */
export class Misfit extends Error {
  /** The place in the answer, such as "Sessions.3.id"; '' for the answer as a whole. */
  readonly at: string;

  constructor(at: string, problem: string) {
    super(problem);
    this.name = 'Misfit';
    this.at = at;
  }
}

/** A Status false that its reader found to be a refusal; the client makes a `Refused` of it. */
export class Refusal extends Error {
  constructor() {
    super('the appliance refused');
    this.name = 'Refusal';
  }
}

/** An order that the appliance accepted. */
export interface Accepted {
  /** True when the appliance said Status true, false when it answered without saying. Neither is proof: read back. */
  readonly confirmed: boolean;
  /** What it said about it; '' when nothing. */
  readonly info: string;
}

/** The reader for every order whose answer is only the envelope, or nothing at all (rows marked R in the document). */
export function accepted(answer: Envelope): Accepted {
  return { confirmed: answer.status === true, info: answer.info };
}

/** A record identifier, as the appliance counts them. */
export const recordId = z.int().nonnegative();
