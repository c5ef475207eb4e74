/**
 * Everything that can go wrong between us and an appliance, one class per kind.
 * Decide by `code`, `sent` and `mayHaveHappened`; the message is for logs and people.
 */

import {
  ApplianceError,
  type Circumstances,
  type LoginObstacle,
  type Obstacle,
  type ReadingObstacle,
} from './failure.ts';
import type { BadArgument, NotAvailable, NotConfigured, Withheld } from './unsent.ts';

export { ApplianceError, type Circumstances, type Obstacle, type Sent } from './failure.ts';
export { BadArgument, NotAvailable, NotConfigured, Withheld } from './unsent.ts';

/** No connection came about, so nothing was sent. `reason` is a system code such as ECONNREFUSED or CONNECT_TIMEOUT. */
export class Unreachable extends ApplianceError {
  readonly code = 'unreachable';
  readonly reason: string;
  /** What most likely keeps it so; undefined where nothing tells. */
  readonly obstacle: Obstacle | undefined;
  declare readonly sent: 'no';

  constructor(reason: string, circumstances: Omit<Circumstances, 'sent'>, obstacle?: Obstacle) {
    super(`appliance unreachable (${reason})`, { ...circumstances, sent: 'no' });
    this.reason = reason;
    this.obstacle = obstacle;
  }
}

export type Deadline = 'read' | 'send' | 'whole';

/**
 * A deadline passed: 'read' is the longest silence while an answer is awaited, 'send' the longest time in which
 * nothing of a file was taken, 'whole' the time for everything.
 */
export class TimedOut extends ApplianceError {
  readonly code = 'timeout';
  readonly deadline: Deadline;
  readonly milliseconds: number;

  constructor(deadline: Deadline, milliseconds: number, circumstances: Circumstances) {
    super(`timed out after ${milliseconds} ms (${deadline} timeout)`, circumstances);
    this.deadline = deadline;
    this.milliseconds = milliseconds;
  }
}

/** The connection broke after the request had been handed to it. */
export class ConnectionLost extends ApplianceError {
  readonly code = 'connection_lost';
  readonly reason: string;

  constructor(reason: string, circumstances: Circumstances) {
    super(`connection lost (${reason})`, circumstances);
    this.reason = reason;
  }
}

/**
 * What came is no answer that can be read: no HTTP, HTTP that its parser does not take, or a body that is compressed in an unknown
 * way. `reason` is what the parser or the decoder says.
 */
export class Unreadable extends ApplianceError {
  readonly code = 'unreadable';
  readonly reason: string;
  readonly obstacle: ReadingObstacle;

  constructor(reason: string, obstacle: ReadingObstacle, circumstances: Circumstances) {
    super(`unreadable answer (${reason})`, circumstances);
    this.reason = reason;
    this.obstacle = obstacle;
  }

  /** What speaks another protocol is not the appliance's API, or has not understood the request. */
  override get mayHaveHappened(): boolean {
    return this.obstacle !== 'other_protocol' && this.obstacle !== 'tls_wanted';
  }
}

/** An HTTP status other than success. Fatal errors of a command come as 404 or 500 (§7.1). */
export class HttpStatus extends ApplianceError {
  readonly code = 'http_status';
  readonly status: number;
  /** What most likely keeps the appliance from serving the call; undefined where nothing tells. */
  readonly obstacle: Obstacle | undefined;

  constructor(status: number, circumstances: Circumstances, obstacle?: Obstacle) {
    super(`the appliance returned HTTP ${status}`, circumstances);
    this.status = status;
    this.obstacle = obstacle;
  }

  /** These are answered before a command is looked at. 404 alone is not among them: fatal errors have it, too (§7.1), and say what is wrong. */
  override get mayHaveHappened(): boolean {
    // What stands in between may hold back an answer as well as a call.
    if (this.obstacle !== undefined) return ['crashed', 'in_between'].includes(this.obstacle);
    return ![400, 401, 403, 405, 413, 415, 429].includes(this.status);
  }
}

/** The appliance pointed elsewhere. Nobody is followed: the key and the order are for the configured address only. */
export class Redirected extends ApplianceError {
  readonly code = 'redirected';
  readonly status: number;
  /** Where it leads to a log-in page. */
  readonly obstacle: LoginObstacle | undefined;

  constructor(status: number, circumstances: Circumstances, obstacle?: LoginObstacle) {
    super(`the appliance returned a redirect (HTTP ${status}), which was not followed`, circumstances);
    this.status = status;
    this.obstacle = obstacle;
  }

  /** Who is sent to a log-in page has ordered nothing. */
  override get mayHaveHappened(): boolean {
    return this.obstacle === undefined;
  }
}

/** The answer was larger than we read. */
export class TooLarge extends ApplianceError {
  readonly code = 'too_large';
  /** The bound, in bytes. */
  readonly bound: number;

  constructor(bound: number, circumstances: Circumstances) {
    super(`the response is larger than ${bound} bytes`, circumstances);
    this.bound = bound;
  }
}

/** The answer is not JSON. */
export class NotJson extends ApplianceError {
  readonly code = 'not_json';
  /** It is a page for people, such as that of the web console. */
  readonly isPage: boolean;

  constructor(circumstances: Circumstances, isPage: boolean) {
    super('the response is not JSON', circumstances);
    this.isPage = isPage;
  }
}

/** An answer without content, where content was asked for: nothing, or an object with nothing in it. */
export class Empty extends ApplianceError {
  readonly code = 'empty';

  constructor(circumstances: Circumstances) {
    super('the response is empty', circumstances);
  }
}

/** JSON, but not what the document describes. `at` is the place, such as "Categories.3.category_id". */
export class UnexpectedReply extends ApplianceError {
  readonly code = 'unexpected_reply';
  readonly at: string;
  readonly problem: string;
  /** It holds more than any appliance has to say, and was not looked through. */
  readonly tooMuch: boolean;

  constructor(at: string, problem: string, circumstances: Circumstances, tooMuch = false) {
    super(`unexpected response: ${at === '' ? 'it' : at} ${problem}`, circumstances);
    this.at = at;
    this.problem = problem;
    this.tooMuch = tooMuch;
  }
}

/**
 * A list from which something is missing, and of which not all came, or that is empty and may be that of a service that has not
 * begun to answer: it proves no absence. `problem` is the end of a sentence: "listed only 5 of 12 members".
 */
export class IncompleteList extends ApplianceError {
  readonly code = 'incomplete_list';
  readonly problem: string;

  constructor(problem: string, circumstances: Circumstances) {
    super(`the appliance ${problem}`, circumstances);
    this.problem = problem;
  }
}

/** The appliance said Status false. `reason` is what it said, cleaned like an excerpt; '' when it gave none. */
export class Refused extends ApplianceError {
  readonly code = 'refused';
  readonly reason: string;
  /** What the appliance did before it gave up, line by line, as for an installation; usually none. Hostile text. */
  readonly log: readonly string[];

  constructor(reason: string, circumstances: Circumstances, log: readonly string[] = []) {
    super(`the appliance refused the request${reason === '' ? '' : `: ${reason}`}`, circumstances);
    this.reason = reason;
    this.log = log;
  }

  /** "False means the query or order could not be processed" (§7.2); with a log, a part of it was. */
  override get mayHaveHappened(): boolean {
    return this.log.length > 0;
  }
}

/**
 * The appliance turned the call away for a reason that has nothing to do with what was asked: a service is off, the bot's
 * address is not allowed. It is no answer: neither yes nor no. `reason` is what it said, cleaned like an excerpt.
 */
export class NotServed extends ApplianceError {
  readonly code = 'not_served';
  readonly obstacle: Obstacle;
  readonly reason: string;

  constructor(obstacle: Obstacle, reason: string, circumstances: Circumstances) {
    super(`the appliance can’t serve the request${reason === '' ? '' : `: ${reason}`}`, circumstances);
    this.obstacle = obstacle;
    this.reason = reason;
  }

  /** What crashes may have begun; everything else is refused before it is looked at. */
  override get mayHaveHappened(): boolean {
    return this.obstacle === 'crashed';
  }
}

/**
 * A refusal that comes from a defect of the appliance's build and says nothing about the order (§4.1 rule 3). It was
 * not carried out. `problem` says what this build does wrong, `remedy` the way out.
 */
export class DefectiveBuild extends ApplianceError {
  readonly code = 'defective_build';
  readonly problem: string;
  readonly remedy: string;

  constructor(
    { problem, remedy }: { readonly problem: string; readonly remedy: string },
    circumstances: Circumstances,
  ) {
    super(`this build of the appliance ${problem}: ${remedy}`, circumstances);
    this.problem = problem;
    this.remedy = remedy;
  }

  override get mayHaveHappened(): boolean {
    return false;
  }
}

/**
 * The file of an upload broke off on its way: it ended early, was too long, or could not be read to its end. The
 * appliance got a part of it and the end of the connection, so it was hardly taken for the whole.
 */
export class UploadFailed extends ApplianceError {
  readonly code = 'upload_failed';
  readonly problem: string;

  constructor(problem: string, circumstances: Circumstances) {
    super(`the upload was interrupted: ${problem}`, circumstances);
    this.problem = problem;
  }
}

/** The caller's signal was aborted, or the appliance's client was closed. */
export class Aborted extends ApplianceError {
  readonly code = 'aborted';

  constructor(circumstances: Circumstances) {
    super('aborted', circumstances);
  }
}

/** The whole family: switch over `code` and the compiler knows the rest. */
export type ApplianceFailure =
  | Unreachable
  | TimedOut
  | ConnectionLost
  | Unreadable
  | HttpStatus
  | Redirected
  | TooLarge
  | NotJson
  | Empty
  | UnexpectedReply
  | IncompleteList
  | Refused
  | NotServed
  | DefectiveBuild
  | NotAvailable
  | NotConfigured
  | BadArgument
  | UploadFailed
  | Aborted
  | Withheld;

export type ApplianceErrorCode = ApplianceFailure['code'];

/** Narrows something caught to the family. */
export function isApplianceFailure(error: unknown): error is ApplianceFailure {
  return error instanceof ApplianceError;
}
