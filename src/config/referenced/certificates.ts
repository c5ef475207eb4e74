import { X509Certificate } from 'node:crypto';

/** The certificates of a text in PEM format, in their order; undefined where one of them cannot be read. */
export function certificatesIn(pem: string): readonly X509Certificate[] | undefined {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
      (one) => new X509Certificate(one),
    );
  } catch {
    return undefined;
  }
}

/** Whose it is, in a word or a few. */
export const nameIn = ({ subject }: X509Certificate): string =>
  /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');

/** In milliseconds: whoever has to renew it wants to know before. */
const notice = 30 * 24 * 3_600_000;

/** What is wrong with its time, or will be soon: to follow "which" or "it". */
export function timeTrouble(
  { validFromDate, validToDate }: Pick<X509Certificate, 'validFromDate' | 'validToDate'>,
  now: number,
): { readonly isOver: boolean; readonly says: string } | undefined {
  if (validToDate.getTime() <= now) return { isOver: true, says: `expired on ${dayOf(validToDate)}` };
  if (validFromDate.getTime() > now) {
    return { isOver: true, says: `is not valid before ${dayOf(validFromDate)}` };
  }
  return validToDate.getTime() - now <= notice
    ? { isOver: false, says: `expires on ${dayOf(validToDate)}` }
    : undefined;
}

/** `2027-03-01`, in UTC, as certificates say it. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
