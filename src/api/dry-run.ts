import type { Method } from './endpoint.ts';
import { Aborted, UnexpectedReply } from './errors.ts';
import type { OperationName } from './operations.ts';
import { understand } from './reading/understand.ts';
import type { SentFile } from './upload/multipart.ts';
import { type Addresses, placeOf } from './wire/addresses.ts';
import type { PreparedCall } from './wire/request.ts';
import { masking, shownRequest } from './wire/shown.ts';

/** What becomes of a call once it has been checked and prepared: it is sent, or it is not. */
export type Deliver = (call: PreparedCall) => Promise<unknown>;

/** A request that would be sent. Every secret in it is `•••`. */
export interface DryRunRequest {
  readonly operation: OperationName;
  readonly method: Method;
  /** The whole address: `https://10.20.0.2:9503/rdpproxy/sessions/12/disconnect`. */
  readonly address: string;
  /** Of that, the path and the query. */
  readonly path: string;
  /** Absent when there is no body. */
  readonly contentType?: string;
  /** The fields as they are sent, or an upload's file, which is described and not read; absent when there is none. */
  readonly body?: string | SentFile;
}

/**
 * The end of a dry run: what would be sent from here on depends on what the appliance would say. It is no failure,
 * and no `ApplianceFailure`: whoever goes on after one must not go on after this.
 */
export class DryRunEnd extends Error {
  /** The operation whose answer is not known. */
  readonly operation: OperationName;

  constructor(operation: OperationName) {
    super(`${operation}: not sent in a dry run, and the next request depends on its response`);
    this.name = 'DryRunEnd';
    this.operation = operation;
  }
}

export interface DryRunClient {
  /** For what only reads. */
  readonly send: Deliver;
  /** Told of every request in the place of the appliance. What it throws, the call rejects with. */
  readonly note: (request: DryRunRequest) => void;
  readonly addresses: Addresses;
  /** The appliance's own: the key, the shell password. */
  readonly secrets: readonly string[];
}

/** An appliance that does what it is told, and says no more about it than that. */
const acceptance = '{"Status": true}';

/**
 * Sends what only reads; notes everything else and does not send it.
 *
 * What can be known without the appliance refuses here as it would there: bad arguments and files, a release that
 * lacks the operation, a missing setting, an aborted signal. Whatever else the appliance would refuse stays open.
 *
 * A noted call has the reply to a bare acceptance: an order is `{ confirmed: true, info: '' }`, without the ID of what
 * it would have created and without counts. It is only there so that what is made of several calls comes to its next
 * one; never show it, and never read back what it did. Where a reply needs more, the call rejects with a
 * `DryRunEnd`, and those after it stay unknown (of all operations, only `directory.refreshEngineVersions`). A `run`
 * that waits until a read shows its change waits in vain.
 *
 * A file is opened as for an upload, so that a wrong one is refused, and closed again, a stream too: it cannot be sent
 * afterwards. Of a shell package the script is read, and a stream of one as a whole.
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
  // What separates the parts of a form is made anew for every upload.
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
