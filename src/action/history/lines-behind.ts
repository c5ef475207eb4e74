import type { Journal } from '../../journal/journal.ts';
import { isConsentReadable, isDelegated } from '../base/consent.ts';
import { underWay } from './history.ts';

/** Everything behind some entries, as JSON on a line each. */
export async function linesBehind(
  journal: Pick<Journal, 'recordsAt' | 'byId'>,
  keys: readonly string[],
): Promise<readonly string[]> {
  const found = await journal.recordsAt(keys.map(Number).filter((seq) => seq > 0));
  const bySeq = new Map(found.map((one) => [one.seq, one]));
  return Promise.all(
    keys.map(async (key) => {
      if (key.startsWith(underWay)) {
        const action = await journal.byId(key.slice(underWay.length));
        // What its buttons carry is nobody's to read, and what it would hit not the reader's while its asker may not see it.
        const withheld =
          action !== undefined && (isDelegated(action) || !isConsentReadable(action))
            ? { preview: undefined }
            : {};
        return JSON.stringify({ underWay: { ...action, token: undefined, ...withheld } });
      }
      return JSON.stringify(bySeq.get(Number(key)) ?? { seq: Number(key), record: null });
    }),
  );
}
