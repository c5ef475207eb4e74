/**
 * Every failure of a call, one class for each kind. Decide by `code`, `sent` and `mayHaveHappened`; the message
 * is for logs and people.
 */

import {
  ApplianceError,
  type Circumstances,
  type LoginObstacle,
  type Obstacle,
  type ReadingObstacle,
} from './failure.ts';

export { ApplianceError, type Circumstances, type Obstacle, type Sent } from './failure.ts';

/**
 * No connection was established, so nothing was sent. `reason` is a system code such as ECONNREFUSED or
 * CONNECT_TIMEOUT.
 */
export class Unreachable extends ApplianceError {
  readonly code = 'unreachable';
  readonly reason: string;
  /** The most likely cause; undefined if nothing suggests one. */
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
 * A deadline passed: 'read' limits silence while waiting for an answer, 'send' limits the time in which nothing
 * of a file is taken, 'whole' limits everything.
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

/** The connection broke after it had received the request. */
export class ConnectionLost extends ApplianceError {
  readonly code = 'connection_lost';
  readonly reason: string;

  constructor(reason: string, circumstances: Circumstances) {
    super(`connection lost (${reason})`, circumstances);
    this.reason = reason;
  }
}

/**
 * The answer is unreadable: no HTTP, HTTP that the parser rejects, or an unknown compression. `reason` comes
 * from the parser or the decoder.
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

  /** Another protocol means that this is not the appliance's API, or that it did not understand the request. */
  override get mayHaveHappened(): boolean {
    return this.obstacle !== 'other_protocol' && this.obstacle !== 'tls_wanted';
  }
}

/** An HTTP status other than success. Fatal errors of a command come as 404 or 500 (§7.1). */
export class HttpStatus extends ApplianceError {
  readonly code = 'http_status';
  readonly status: number;
  /** The most likely reason why the appliance does not serve the call; undefined if nothing suggests one. */
  readonly obstacle: Obstacle | undefined;

  constructor(status: number, circumstances: Circumstances, obstacle?: Obstacle) {
    super(`the appliance returned HTTP ${status}`, circumstances);
    this.status = status;
    this.obstacle = obstacle;
  }

  /**
   * Servers send these before they look at a command. 404 alone is not included: fatal errors use it too
   * (§7.1), and give a reason.
   */
  override get mayHaveHappened(): boolean {
    // A gateway in between may hold back an answer as well as a call.
    if (this.obstacle !== undefined) return ['crashed', 'in_between'].includes(this.obstacle);
    return ![400, 401, 403, 405, 413, 415, 429].includes(this.status);
  }
}

/** The appliance redirected. The client never follows: key and order are for the configured address only. */
export class Redirected extends ApplianceError {
  readonly code = 'redirected';
  readonly status: number;
  /** Set if the redirect leads to a login page. */
  readonly obstacle: LoginObstacle | undefined;

  constructor(status: number, circumstances: Circumstances, obstacle?: LoginObstacle) {
    super(`the appliance returned a redirect (HTTP ${status}), which was not followed`, circumstances);
    this.status = status;
    this.obstacle = obstacle;
  }

  /** A redirect to a login page means that nothing was done. */
  override get mayHaveHappened(): boolean {
    return this.obstacle === undefined;
  }
}

export class TooLarge extends ApplianceError {
  readonly code = 'too_large';
  /** The bound, in bytes. */
  readonly bound: number;

  constructor(bound: number, circumstances: Circumstances) {
    super(`the response is larger than ${bound} bytes`, circumstances);
    this.bound = bound;
  }
}

export class NotJson extends ApplianceError {
  readonly code = 'not_json';
  /** The answer is a page for people, such as that of the web console. */
  readonly isPage: boolean;

  constructor(circumstances: Circumstances, isPage: boolean) {
    super('the response is not JSON', circumstances);
    this.isPage = isPage;
  }
}

/** An answer without content, although content was requested: empty, or an empty object. */
export class Empty extends ApplianceError {
  readonly code = 'empty';

  constructor(circumstances: Circumstances) {
    super('the response is empty', circumstances);
  }
}

/** JSON that the document does not describe. `at` is the place, such as "Categories.3.category_id". */
export class UnexpectedReply extends ApplianceError {
  readonly code = 'unexpected_reply';
  readonly at: string;
  readonly problem: string;
  /** The answer exceeds every realistic size, and was not searched. */
  readonly tooMuch: boolean;

  constructor(at: string, problem: string, circumstances: Circumstances, tooMuch = false) {
    super(`unexpected response: ${at === '' ? 'it' : at} ${problem}`, circumstances);
    this.at = at;
    this.problem = problem;
    this.tooMuch = tooMuch;
  }
}

/**
 * A list that does not prove an absence: an entry is missing and the list is not whole, or the list is empty
 * and its service may still be starting. `problem` completes a sentence: "listed only 5 of 12 members".
 */
export class IncompleteList extends ApplianceError {
  readonly code = 'incomplete_list';
  readonly problem: string;

  constructor(problem: string, circumstances: Circumstances) {
    super(`the appliance ${problem}`, circumstances);
    this.problem = problem;
  }
}

/** The appliance answered Status false. `reason` is its cleaned text; '' if it gave none. */
export class Refused extends ApplianceError {
  readonly code = 'refused';
  readonly reason: string;
  /** The appliance's log before it gave up, line by line, as for an installation; usually empty. Hostile text. */
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
 * The appliance refused the call for a reason unrelated to its content: a service is off, the bot's address is
 * not allowed. It is neither yes nor no. `reason` is the cleaned text.
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

  /** A crashed call may have begun; all others are refused unseen. */
  override get mayHaveHappened(): boolean {
    return this.obstacle === 'crashed';
  }
}

/**
 * A refusal caused by a defect of the appliance's build, which says nothing about the order (§4.1 rule 3). The
 * order was not carried out. `problem` describes the defect, `remedy` the solution.
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
 * An upload's file failed on its way: it ended early, was too long, or became unreadable. The appliance got
 * only a part, so it hardly took that for the whole.
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

/** Every failure: switch over `code`. */
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

/** Narrows a caught error to the family. */
export function isApplianceFailure(error: unknown): error is ApplianceFailure {
  return error instanceof ApplianceError;
}

/** Reasons that keep a call from being sent: nothing has left for the appliance. */

export class NotAvailable extends ApplianceError {
  readonly code = 'not_available';
  /** The release that the appliance has, such as "4.50 SP4". */
  readonly release: string;
  /** The releases that have the operation, word for word (§9). */
  readonly availableFrom: string;
  declare readonly sent: 'no';

  constructor(release: string, availableFrom: string, circumstances: Omit<Circumstances, 'sent'>) {
    super(`release ${release} does not support this; it is available in ${availableFrom}`, {
      ...circumstances,
      sent: 'no',
    });
    this.release = release;
    this.availableFrom = availableFrom;
  }
}

/**
 * A setting that the call needs is missing, such as the address of the mirror service. Without a `url` the
 * appliance is not configured at all.
 */
export class NotConfigured extends ApplianceError {
  readonly code = 'not_configured';
  readonly setting: 'url' | 'mirrorUrl' | 'shellPassword';
  declare readonly sent: 'no';

  constructor(setting: NotConfigured['setting'], circumstances: Omit<Circumstances, 'sent'>) {
    super(`${setting} is not configured for this appliance`, { ...circumstances, sent: 'no' });
    this.setting = setting;
  }
}

/** An argument that cannot be sent. `argument` is its name. */
export class BadArgument extends ApplianceError {
  readonly code = 'bad_argument';
  readonly argument: string;
  readonly problem: string;
  declare readonly sent: 'no';

  constructor(argument: string, problem: string, circumstances: Omit<Circumstances, 'sent'>) {
    super(`the argument ${argument} ${problem}`, { ...circumstances, sent: 'no' });
    this.argument = argument;
    this.problem = problem;
  }
}

/** Not sent, because another replica may have taken over its work (`fence.ts`). */
export class Withheld extends ApplianceError {
  readonly code = 'withheld';
  declare readonly sent: 'no';

  constructor(circumstances: Omit<Circumstances, 'sent'>) {
    super('not sent: another replica may have taken over', { ...circumstances, sent: 'no' });
  }
}
