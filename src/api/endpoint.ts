import { z } from 'zod';
import type { Obstacle } from './failure.ts';
import type { Accepted, ReplyReader } from './reading/reply.ts';
import { accepted } from './reading/reply.ts';
import type { UploadArguments } from './upload/file.ts';
import type { ArgumentSchemas, Body, FieldsBody, UploadBody } from './wire/body.ts';
import { type SlotNames, slotNames } from './wire/path.ts';

/**
 * What an operation does to the appliance. Retries, deadlines, confirmations and the journal go by this word and
 * never by the HTTP method, because in this API a GET can restart a server (appliance-api.md §1 convention 2).
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

/**
 * Which of an appliance's addresses an operation is asked at: the Web API, the directory API, the mirror service, or
 * the mirror service's console (§1 addressing).
 */
export type Service = 'web' | 'directory' | 'mirror' | 'mirrorConsole';

/** What path slots accept, by slot name. */
export type SlotSchemas = Readonly<Record<string, z.ZodType<string | number>>>;

/** A refusal that builds of the appliance are known for, which says nothing about the order itself. */
interface KnownDefect {
  /** How the appliance's own words give it away. */
  readonly says: RegExp;
  /** What is wrong, as the end of "this build …". */
  readonly problem: string;
  /** The way out, such as "update to a release after 2026-09-23". */
  readonly remedy: string;
  readonly section: string;
}

/**
 * One operation of the appliance, declared once. Everything else about it is derived: the types of its call, how
 * often it may be sent, which key goes with it, its lines in the documentation.
 */
export interface Endpoint<Given = object, Value = unknown, Does extends Effect = Effect> {
  readonly method: Method;
  /** False where the document gives a URL only (its —): GET is then a guess that the configuration may correct. */
  readonly methodShown: boolean;
  /** The path with its slots in braces, as it stands in the document: `/rdpproxy/sessions/{id}/disconnect`. */
  readonly path: string;
  /** Kept as the very word by the types: what only reads is known to the compiler (`AskedAppliance`). */
  readonly effect: Does;
  /** One sentence for people. */
  readonly summary: string;
  /** Where the operation is described, such as "§4.3". */
  readonly section: string;
  readonly service: Service;
  /** The first releases that have it, word for word from §9; undefined when the document names none. */
  readonly availableFrom: string | undefined;
  /** Schemas of all slots of the path. */
  readonly slots: SlotSchemas;
  readonly query: ArgumentSchemas;
  readonly body: Body | undefined;
  /** Checks everything that a call is given but the file of an upload. */
  readonly arguments: z.ZodType<Record<string, unknown>>;
  readonly reply: ReplyReader<Value>;
  /**
   * True where the document makes Status false an answer and not a refusal (§7.3). The reader then sees it;
   * everywhere else a false never reaches the reader.
   */
  readonly falseIsAnswer: boolean;
  /** Where it is told of them: what says elsewhere that an appliance does not serve a call is this operation's answer. */
  readonly tellsOf: readonly Obstacle[];
  readonly knownDefect: KnownDefect | undefined;
  /** Takes minutes on the appliance's side: it gets the long deadline. */
  readonly slow: boolean;
  /** Its answer may have tens of megabytes. */
  readonly large: boolean;
  /** Never there at run time; carries the type of the call's arguments. */
  readonly given?: Given;
}

/** What an area's operations have in common. */
interface AreaDefaults {
  readonly section: string;
  readonly service?: Service;
  /** Word for word from §9. */
  readonly availableFrom?: string;
}

type Line = `${Method | '-'} /${string}`;
type PathOf<L extends Line> = L extends `${string} ${infer Path}` ? Path : never;

export interface Declaration<Slots, Query, Sent, Does extends Effect> extends Partial<AreaDefaults> {
  readonly summary: string;
  readonly effect: Does;
  /** Schemas for the slots that are more than text; a slot without one takes text. */
  readonly slots?: Slots;
  readonly query?: Query;
  readonly body?: Sent;
  readonly falseIsAnswer?: boolean;
  readonly tellsOf?: readonly Obstacle[];
  readonly knownDefect?: KnownDefect;
  readonly slow?: boolean;
  readonly large?: boolean;
}

/** Refuses schemas for slots that the path does not have. */
type OnlySlotsOf<Path extends string, Slots> = {
  readonly slots?: { readonly [Name in Exclude<keyof Slots, SlotNames<Path>>]: never };
};

type SlotArguments<Path extends string, Slots> = {
  readonly [Name in SlotNames<Path>]: Name extends keyof Slots ? z.input<Slots[Name]> : string;
};

type Inputs<Schemas> = keyof Schemas extends never
  ? unknown
  : Schemas extends ArgumentSchemas
    ? Readonly<z.input<z.ZodObject<{ -readonly [Name in keyof Schemas]: Schemas[Name] }>>>
    : never;

type SentArguments<Sent> =
  Sent extends FieldsBody<infer Schemas>
    ? Inputs<Schemas>
    : Sent extends UploadBody
      ? UploadArguments
      : unknown;

type Flat<T> = { [Name in keyof T]: T[Name] };

type Given<Path extends string, Slots, Query, Sent> = Flat<
  SlotArguments<Path, Slots> & Inputs<Query> & SentArguments<Sent>
>;

type NoSchemas = Readonly<Record<never, never>>;

/**
 * Declares the operations of one area: `endpoint('GET /rdpproxy/sessions', { … })`. The method is `-` where the
 * document shows none. Argument and reply types follow from what is written; what only changes something and answers
 * nothing that is documented needs no `reply`.
 */
export function area(defaults: AreaDefaults) {
  function endpoint<
    const L extends Line,
    Does extends Exclude<Effect, 'read'>,
    Slots extends SlotSchemas = NoSchemas,
    Query extends ArgumentSchemas = NoSchemas,
    Sent extends Body | undefined = undefined,
  >(
    line: L,
    declaration: Declaration<Slots, Query, Sent, Does> &
      OnlySlotsOf<PathOf<L>, Slots> & { readonly reply?: undefined },
  ): Endpoint<Given<PathOf<L>, Slots, Query, Sent>, Accepted, Does>;
  function endpoint<
    const L extends Line,
    Value,
    Does extends Effect,
    Slots extends SlotSchemas = NoSchemas,
    Query extends ArgumentSchemas = NoSchemas,
    Sent extends Body | undefined = undefined,
  >(
    line: L,
    declaration: Declaration<Slots, Query, Sent, Does> &
      OnlySlotsOf<PathOf<L>, Slots> & { readonly reply: ReplyReader<Value> },
  ): Endpoint<Given<PathOf<L>, Slots, Query, Sent>, Value, Does>;
  function endpoint(
    line: Line,
    declaration: Declaration<SlotSchemas, ArgumentSchemas, Body | undefined, Effect> & {
      readonly reply?: ReplyReader<unknown> | undefined;
    },
  ): Endpoint {
    const [method = '-', path = ''] = line.split(' ');
    const { availableFrom = defaults.availableFrom, body, query = {} } = declaration;
    const slots = Object.fromEntries(
      slotNames(path).map((name) => [name, declaration.slots?.[name] ?? anyText]),
    );
    // Made when the operation is called for the first time: so many of them would delay every start.
    let checks: z.ZodType<Record<string, unknown>> | undefined;
    const fields = body === undefined || body.encoding === 'multipart' ? {} : body.fields;
    return {
      // The line's own type lets nothing else stand there.
      method: method === '-' ? 'GET' : (method as Method),
      methodShown: method !== '-',
      path,
      effect: declaration.effect,
      summary: declaration.summary,
      section: declaration.section ?? defaults.section,
      service: declaration.service ?? defaults.service ?? 'web',
      availableFrom,
      slots,
      query,
      body,
      get arguments() {
        checks ??= z.strictObject({ ...slots, ...query, ...fields });
        return checks;
      },
      reply: declaration.reply ?? accepted,
      falseIsAnswer: declaration.falseIsAnswer ?? false,
      tellsOf: declaration.tellsOf ?? [],
      knownDefect: declaration.knownDefect,
      slow: declaration.slow ?? false,
      large: declaration.large ?? false,
    };
  }
  return endpoint;
}

const anyText = z.string();

/** A record identifier, as the appliance counts them. */
export const recordId = z.int().nonnegative();
