import { say, type Text } from '../reply.ts';
import { bytes, number } from './quantities.ts';
import { readableName, readableValue } from './reported.ts';

/** Readable names for columns of network and process tables. */
const spelled: Readonly<Record<string, string>> = {
  mac: 'MAC',
  rxbytes: 'Received',
  txbytes: 'Sent',
};

/** The name of a measured field without its unit: `memory_kb` is "Memory". */
export const measuredName = (name: string): string =>
  spelled[name.toLowerCase()] ?? readableName(name.replace(kilobytes, ''));

/** The value with the unit in its name; kilobytes are 1,024 bytes, as in process tables. */
export function measuredValue(name: string, value: string | undefined): Text {
  const isKilobytes = kilobytes.test(name) && value !== undefined && /^\d{1,12}$/.test(value);
  if (/^speed$/i.test(name) && value !== undefined && /^-?\d{1,9}$/.test(value)) {
    // A network card without a link has no speed.
    return say`${Number(value) > 0 ? speedOf(Number(value)) : '–'}`;
  }
  return isKilobytes ? [bytes(Number(value) * 1_024)] : readableValue(name, value);
}

/** Network cards report Mbit/s (field notes). */
const speedOf = (megabits: number): string =>
  megabits < 1_000 ? `${megabits} Mbit/s` : `${number(megabits / 1_000)} Gbit/s`;

const kilobytes = /[_-]?(?:kb|kib|kilobytes)$/i;
