import type { Method } from './endpoint.ts';
import { Aborted, UnexpectedReply } from './errors.ts';
import type { OperationName } from './operations.ts';
import { understand } from './reading/understand-answer.ts';
import type { SentFile } from './upload/multipart.ts';
import { type Addresses, placeOf } from './wire/addresses.ts';
import { masking, type PreparedCall, shownRequest } from './wire/wire-request.ts';

export type Deliver = (call: PreparedCall) => Promise<unknown>;

/** A request that would be sent. Every secret in it is `•••`. */
export interface DryRunRequest {
  readonly operation: OperationName;
  readonly method: Method;
  /** The whole address: `https://10.20.0.2:9503/rdpproxy/sessions/12/disconnect`. */
  readonly address: string;
  /** Path and query. */
  readonly path: string;
  /** Absent without a body. */
  readonly contentType?: string;
  /**
   * The fields as they are sent, or the description of an upload's file, which is not read. Absent without a
   * body.
   */
  readonly body?: string | SentFile;
}

/**
 * The end of a dry run: further requests depend on the appliance's answer. It is no failure and no
 * `ApplianceFailure`, because code that continues after a failure must stop here.
 */
export class DryRunEnd extends Error {
  /** The operation with the unknown answer. */
  readonly operation: OperationName;

  constructor(operation: OperationName) {
    super(`${operation}: not sent in a dry run, and the next request depends on its response`);
    this.name = 'DryRunEnd';
    this.operation = operation;
  }
}

export interface DryRunClient {
  readonly send: Deliver;
  /** Called with every request instead of sending it. An exception rejects the call. */
  readonly note: (request: DryRunRequest) => void;
  readonly addresses: Addresses;
  /** The appliance's own: the key, the shell password. */
  readonly secrets: readonly string[];
}

/** The answer of an appliance that accepts and reports nothing else. */
const acceptance = '{"Status": true}';

/**
 * Sends reads; notes everything else without sending it.
 *
 * Everything that is known without the appliance is refused as in the real call: bad arguments and files, an
 * operation that the release lacks, a missing setting, an aborted signal. Other refusals of the appliance stay
 * unknown.
 *
 * A noted call returns the reply to a bare acceptance: an order is `{ confirmed: true, info: '' }`, without the
 * ID of a created thing and without counts. It exists only so that combined calls reach their next call; never
 * show it, and never read back its effect. If a reply needs more, the call rejects with a `DryRunEnd`, and
 * later calls stay unknown (among all operations, only `directory.refreshEngineVersions`). A `run` that waits
 * for a read to show its change waits in vain.
 *
 * A file is opened as for an upload, so that a wrong one is refused, and closed again. A stream is closed too
 * and cannot be sent afterwards. A shell package's script is read, and a stream with one is read as a whole.
 */
export function dryRuns({ send, note, addresses, secrets }: DryRunClient): Deliver {
  return async (call) => {
    const { operation, endpoint, asked, signal } = call;
    if (endpoint.effect === 'read') return send(call);
    const request = noted(call, addresses, secrets);
    if (signal?.aborted) throw new Aborted({ operation, sent: 'no' });
    note(request);
    try {
      return understand(operation, endpoint, acceptance, asked, []);
    } catch (error) {
      throw error instanceof UnexpectedReply ? new DryRunEnd(operation) : error;
    }
  };
}

function noted(call: PreparedCall, addresses: Addresses, secrets: readonly string[]): DryRunRequest {
  const { operation, endpoint, method, headers, file, secrets: own } = call;
  const { address, base } = placeOf(addresses, endpoint.service, operation);
  const hide = masking([...secrets, ...own]);
  const { path: ownPath, body: fields } = shownRequest(call, hide);
  const path = base + ownPath;
  // Each upload has its own boundary.
  const contentType = headers['content-type']?.split(';')[0];
  const body = file === undefined ? fields : { ...file, name: hide(file.name) };
  return {
    operation,
    method,
    address: address.origin + path,
    path,
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body }),
  };
}
