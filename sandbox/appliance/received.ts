import type { OperationName, ReceivedRequest } from './protocol.ts';

/** Enough for whatever a program does by itself in a test. */
const patience = 5_000;

interface Watched {
  readonly requests: readonly ReceivedRequest[];
  onChange(listener: () => void): () => void;
}

/**
 * The requests of an operation that are answered or broken off, once there are so many.
 * @throws Error when there are not by then; its message says what has arrived instead
 */
export function received(
  { requests, onChange }: Watched,
  operation: OperationName,
  times = 1,
  milliseconds = patience,
): Promise<readonly ReceivedRequest[]> {
  const over = () => requests.filter((one) => one.operation === operation && one.outcome !== 'waiting');
  return new Promise((resolve, reject) => {
    const end = onChange(() => look());
    const timer = setTimeout(() => {
      end();
      reject(new Error(missed(requests, operation, `${over().length} of ${times}`, milliseconds)));
    }, milliseconds);
    const look = () => {
      const found = over();
      if (found.length < times) return;
      end();
      clearTimeout(timer);
      resolve(found);
    };
    look();
  });
}

function missed(
  requests: readonly ReceivedRequest[],
  operation: OperationName,
  how: string,
  milliseconds: number,
): string {
  const others = requests
    .filter((one) => one.operation !== operation || one.outcome === 'waiting')
    .map((one) => `${one.operation ?? `${one.method} ${one.path}`} (${one.outcome})`);
  const rest =
    others.length === 0 ? 'Nothing else has arrived.' : `What else has arrived: ${others.join(', ')}.`;
  return `${how} requests of ${operation} within ${milliseconds.toLocaleString('en')} ms. ${rest}`;
}
