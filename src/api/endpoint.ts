import { z } from 'zod';
import type { Obstacle } from './failure.ts';
import { type Accepted, accepted, type ReplyReader } from './reading/reply-reader.ts';
import type { UploadArguments } from './upload/file.ts';
import type { ArgumentSchemas, Body, FieldsBody, UploadBody } from './wire/body.ts';

/**
 * The effect of an operation on the appliance. Retries, deadlines, confirmations and the journal depend on it
 * and never on the HTTP method, because in this API a GET can restart a server (appliance-api.md §1 convention
 * 2).
 */
export type Effect =
  | 'read'
  /** Changes something that can be restored. */
  | 'write'
  /** Drops, disconnects, restarts, deletes, opens the gate, runs foreign code. */
  | 'destructive'
  /** The document does not say; handled as destructive. */
  | 'unknown';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * The address of an operation: the Web API, the directory API, the mirror service, or the mirror service's
 * console (§1 addressing).
 */
export type Service = 'web' | 'directory' | 'mirror' | 'mirrorConsole';

/** Accepted values of path slots, by slot name. */
export type SlotSchemas = Readonly<Record<string, z.ZodType<string | number>>>;

/** A known refusal of defective builds, which says nothing about the order itself. */
interface KnownDefect {
  /** Recognises the appliance's words. */
  readonly says: RegExp;
  /** The defect, completing "this build …". */
  readonly problem: string;
  /** The remedy, such as "update to a release after 2026-09-23". */
  readonly remedy: string;
  readonly section: string;
}

/**
 * One operation of the appliance, declared once. Everything else is derived: the types of its call, its
 * retries, its key, its documentation.
 */
export interface Endpoint<Given = object, Value = unknown, Does extends Effect = Effect> {
  readonly method: Method;
  /** False if the document gives only a URL (its —). GET is then a guess that the configuration may correct. */
  readonly methodShown: boolean;
  /** The path with its slots in braces, as it stands in the document: `/rdpproxy/sessions/{id}/disconnect`. */
  readonly path: string;
  /** A literal type, so that the compiler knows which calls only read (`AskedAppliance`). */
  readonly effect: Does;
  /** One sentence for people. */
  readonly summary: string;
  /** The operation's section in the document, such as "§4.3". */
  readonly section: string;
  readonly service: Service;
  /** The first releases that have it, word for word from §9; undefined if the document names none. */
  readonly availableFrom: string | undefined;
  readonly slots: SlotSchemas;
  readonly query: ArgumentSchemas;
  readonly body: Body | undefined;
  /** Checks all arguments except an upload's file. */
  readonly arguments: z.ZodType<Record<string, unknown>>;
  readonly reply: ReplyReader<Value>;
  /**
   * True if the document makes Status false an answer rather than a refusal (§7.3). Only then does the reader
   * see it.
   */
  readonly falseIsAnswer: boolean;
  /** Obstacles that are this operation's own answer. Elsewhere they mean that the appliance does not serve a call. */
  readonly tellsOf: readonly Obstacle[];
  readonly knownDefect: KnownDefect | undefined;
  /** Takes minutes on the appliance, so it gets the long deadline. */
  readonly slow: boolean;
  /** The answer may be tens of megabytes. */
  readonly large: boolean;
  /** Only for the type of the arguments; absent at run time. */
  readonly given?: Given;
}

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
 * Declares the operations of one area: `endpoint('GET /rdpproxy/sessions', { … })`. The method is `-` if the
 * document shows none. Types of arguments and reply follow. A change without a documented answer needs no
 * `reply`.
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
    // Made on the first call: building all of them would delay every start.
    let checks: z.ZodType<Record<string, unknown>> | undefined;
    const fields = body === undefined || body.encoding === 'multipart' ? {} : body.fields;
    return {
      // The line's type allows no other method.
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

export const recordId = z.int().nonnegative();

/**
 * Path templates such as `/categories/move/{id}/{site}/{nextId}`. In this API a path is an order, so a value
 * must never turn it into another path.
 */

/** The names between braces: `SlotNames<'/proxy/{host}:{port}'>` is `'host' | 'port'`. */
export type SlotNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SlotNames<Rest>
  : never;

type PathFilling =
  | { readonly ok: true; readonly path: string }
  /** `slot` is the name of the first invalid slot, `problem` the reason in a few words. */
  | { readonly ok: false; readonly slot: string; readonly problem: string };

/** Needs no encoding and cannot change a path, like most names and numbers. */
const harmless = /^\w[\w.-]*$/;

/** Split templates, one for each operation. */
const cut = new Map<string, readonly string[]>();

/** Literal text, with the name of a slot at every odd position. */
function partsOf(template: string): readonly string[] {
  let parts = cut.get(template);
  if (parts === undefined) {
    parts = template.split(/\{([^{}]+)\}/);
    cut.set(template, parts);
  }
  return parts;
}

export const slotNames = (template: string): string[] =>
  partsOf(template).filter((_, index) => index % 2 === 1);

/**
 * Fills the template with values, each percent-encoded as a whole, and refuses any that would change the path.
 *
 * A slash becomes `%2F`, but many servers decode before they route, so a value with a slash is refused. `.`,
 * `..` and their encoded spellings are refused for the same reason.
 */
export function fillPath(template: string, values: Readonly<Record<string, string | number>>): PathFilling {
  let path = '';
  for (const [index, part] of partsOf(template).entries()) {
    if (index % 2 === 0) {
      path += part;
      continue;
    }
    const value = Object.hasOwn(values, part) ? String(values[part]) : '';
    if (harmless.test(value)) {
      path += value;
      continue;
    }
    const problem = problemWith(value);
    if (problem !== undefined) return { ok: false, slot: part, problem };
    path += encode(value);
  }
  return { ok: true, path };
}

/** A segment may contain comma and colon (RFC 3986 §3.3), and the document writes them so (§4.1, §4.4). */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

function problemWith(value: string): string | undefined {
  if (value.trim() === '') return 'is empty';
  if (!value.isWellFormed()) return 'is not valid Unicode text';
  const plain = value.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c/gi, '/');
  if (/^\.{1,2}$/.test(plain)) return 'is a relative path segment, not a value';
  if (/[/\\]/.test(plain)) return 'contains a slash';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused here
  if (/[\u0000-\u001f\u007f]/.test(plain)) return 'contains a control character';
  return undefined;
}
