import { createHash } from 'node:crypto';

/** For the fingerprint of a preview: what was shown by its number alone. With another content it is another question. */
export const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
