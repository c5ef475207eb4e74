/** The address of a database is a secret, and what a password breaks in it must not be taken for a host and shown. */

/** Whether a sign of the password can have been taken for the end of the host: then nobody knows what is which. */
function isCertain(url: string): boolean {
  const rest = url.slice(url.indexOf('://') + 3);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  return !rest.slice(authority.length).includes('@') && !rest.includes('#');
}

/** What went wrong with the network, by Node's code. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name lookup failed',
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: 'timed out',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
};

/** An error of a connection, with nothing in it that the address was taken apart to, unless that is certain. */
export function withoutAddress(error: unknown, url: string): unknown {
  if (isCertain(url) || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const reason = reasons[code] ?? 'unreachable';
  const safe = new Error(
    `${reason} (check that @, /, ?, # and % in the password are written as %40, %2F, %3F, %23 and %25)`,
  );
  return Object.assign(safe, code === '' ? {} : { code });
}
