import type { ApplianceNow } from './protocol.ts';

/** Changes that are configured and not compiled: on one line, and on request by name. */
export function PendingChanges({ pending }: Pick<ApplianceNow, 'pending'>) {
  const waiting = pending.filter(({ count }) => count > 0);
  if (waiting.length === 0) return null;
  return (
    <details className="panel-part pending">
      <summary>
        <b>Not live yet:</b> {waiting.map(({ words }) => words).join(', ')}
      </summary>
      <dl>
        {waiting.map(({ name, words, count, first, until }) => (
          <div key={name}>
            <dt>
              {words}, until <code>{until.replace(/^- /, '')}</code>
            </dt>
            {first.map((one) => (
              <dd key={one}>{one}</dd>
            ))}
            {count > first.length && <dd>and {(count - first.length).toLocaleString('en')} more</dd>}
          </div>
        ))}
      </dl>
    </details>
  );
}
