/** The address of a database is a secret, and what a password breaks in it must not be taken for a host and shown. */

/** Whether a sign of the password can have been taken for the end of the host: then nobody knows what is which. */
function isCertain(url: string): boolean {
  const rest = url.slice(url.indexOf('://') + 3);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  return !rest.slice(authority.length).includes('@') && !rest.includes('#');
}

/** What went wrong with the network, by Node's code. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ETIMEDOUT: 'it did not answer in time',
  ECONNRESET: 'the connection broke',
  EHOSTUNREACH: 'no way leads to it',
  ENETUNREACH: 'no way leads to it',
};

/** An error of a connection, with nothing in it that the address was taken apart to, unless that is certain. */
export function withoutAddress(error: unknown, url: string): unknown {
  if (isCertain(url) || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const reason = reasons[code] ?? 'it could not be reached';
  const safe = new Error(
    `${reason} (is every @, /, ?, # and % of its password written as %40, %2F, %3F, %23, %25?)`,
  );
  return Object.assign(safe, code === '' ? {} : { code });
}
