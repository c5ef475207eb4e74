import { useState } from 'react';
import { kinds } from '../../../appliance/kinds.ts';
import type { ReceivedRequest } from '../../../appliance/protocol.ts';
import { CaretIcon } from '../icons.tsx';
import { OperationName } from './OperationName.tsx';

type Request = ReceivedRequest<string>;

interface Props {
  /** Newest first. */
  readonly requests: readonly Request[];
  /** Takes a request's operation into the form. */
  readonly onChoose: (operation: string) => void;
}

const few = 8;

/** The requests to the appliance, and how each ended. */
export function Requests({ requests, onChoose }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? requests : requests.slice(0, few);
  return (
    <section className="panel-part" aria-labelledby="requests-heading">
      <div className="panel-part-head">
        <h3 id="requests-heading">Last requests</h3>
        {requests.length > few && (
          <button type="button" className="link-button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show ${requests.length}`}
          </button>
        )}
      </div>
      {requests.length === 0 && <p className="panel-hint">Nothing has reached it yet. Type a command.</p>}
      <ol className="requests">
        {shown.map((request) => (
          <li key={request.id}>
            <RequestLine request={request} onChoose={onChoose} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface LineProps {
  readonly request: Request;
  readonly onChoose: (operation: string) => void;
}

function RequestLine({ request, onChoose }: LineProps) {
  const { method, path, at, endedAt, operation, fault, headers } = request;
  return (
    <details className="request">
      <summary>
        <OperationName name={`${method} ${path}`} />
        <Outcome request={request} />
        <CaretIcon />
        <span className="request-when">
          {timeOf(at)}
          {endedAt && `, ${durationOf(at, endedAt)}`}
          {fault && <span className="panel-chip">{kinds[fault].label}</span>}
        </span>
      </summary>
      <div className="request-more">
        <dl>
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {operation === undefined ? (
          <p>The appliance has no such operation.</p>
        ) : (
          <button type="button" className="button" onClick={() => onChoose(operation)}>
            Make this operation misbehave
          </button>
        )}
      </div>
    </details>
  );
}

function Outcome({ request: { outcome, status } }: { readonly request: Request }) {
  if (outcome === 'waiting') return <span className="outcome outcome-waiting">waiting…</span>;
  if (outcome === 'broken') return <span className="outcome outcome-bad">broken off</span>;
  const tone = status !== undefined && status < 400 ? 'good' : 'bad';
  return <span className={`outcome outcome-${tone}`}>{status}</span>;
}

const timeOf = (at: string) =>
  new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** `12 ms`, or from a second on `3.0 s`. */
function durationOf(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
