import type { Addresses } from './addresses.ts';

export const keyHeader = 'x-auth-token';

/**
 * §5.2: the key opens the remote-desktop calls; whether other groups want it is not documented, so it is configured.
 * It belongs to the machine that the Web API runs on, and goes to no other one, nor in clear text where the Web API has
 * TLS.
 */
export function headersFor(
  { path, body }: { readonly path: string; readonly body: unknown },
  address: URL,
  {
    addresses,
    key,
    keyEverywhere,
  }: {
    readonly addresses: Addresses;
    readonly key: string | undefined;
    readonly keyEverywhere: boolean;
  },
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'identity' };
  const { web } = addresses;
  const sameMachine =
    address.hostname === web?.hostname && (address.protocol === 'https:' || web.protocol === 'http:');
  if (key !== undefined && sameMachine && (keyEverywhere || path.startsWith('/rdpproxy/'))) {
    headers[keyHeader] = key;
  }
  // Some servers refuse a POST that does not say how long it is, even when it is empty.
  if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body));
  return headers;
}
