import { say, type Text } from '../reply.ts';
import { bytes, number } from './quantities.ts';
import { readableName, readableValue } from './reported.ts';

/** What network and process tables call things, for people. */
const spelled: Readonly<Record<string, string>> = {
  mac: 'MAC',
  rx_bytes: 'Received',
  tx_bytes: 'Sent',
  rxbytes: 'Received',
  txbytes: 'Sent',
  rx: 'Received',
  tx: 'Sent',
};

/** The name of a measured field without the unit that stands behind its value: `memory_kb` is "Memory". */
export const measuredName = (name: string): string =>
  spelled[name.toLowerCase()] ?? readableName(name.replace(kilobytes, ''));

/** Its value, with the unit that its name tells; kilobytes are 1,024 bytes, as in every process table. */
export function measuredValue(name: string, value: string | undefined): Text {
  const isKilobytes = kilobytes.test(name) && value !== undefined && /^\d{1,12}$/.test(value);
  if (/^speed$/i.test(name) && value !== undefined && /^-?\d{1,9}$/.test(value)) {
    // Cards without a link have none.
    return say`${Number(value) > 0 ? speedOf(Number(value)) : '–'}`;
  }
  return isKilobytes ? [bytes(Number(value) * 1_024)] : readableValue(name, value);
}

/** Of a network card, which is told in Mbit/s (field notes). */
const speedOf = (megabits: number): string =>
  megabits < 1_000 ? `${megabits} Mbit/s` : `${number(megabits / 1_000)} Gbit/s`;

const kilobytes = /[_-]?(?:kb|kib|kilobytes)$/i;
