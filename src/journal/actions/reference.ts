import { hash } from 'node:crypto';

/** Digits and capitals that nobody takes for each other, read aloud or copied by hand (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 8;

/**
 * What people call an action: `A-7KQ2MX9D`. Made of its ID, which is told to nobody; of forty bits, so that in a journal with a million
 * actions hardly two have the same name.
 */
export function referenceOf(id: string): string {
  const bytes = hash('sha256', `reference ${id}`, 'buffer').subarray(0, length);
  return `A-${Array.from(bytes, (byte) => letters[byte % letters.length]).join('')}`;
}
