/**
 * What the records of an object are compared with. The document names no type (appliance-api.md §2.1, §2.4 give only
 * examples in words), so it is read out of the name, which is that of the proxy's matcher: `dstdomain`, `ssl_sni_regex`.
 */
export type ComparedKind =
  /** A domain; one that starts with a dot stands for the domain and all below it. */
  | 'domain'
  /** A regular expression for the host name. */
  | 'domain_regex'
  /** A regular expression for the whole URL. */
  | 'url_regex'
  /** An address or a network, for the addresses that the name has. */
  | 'network'
  /** About the client, the user, the port, the path, the time: nothing that a domain has. */
  | 'other';

export function kindOf(type: string | undefined): ComparedKind {
  const name = (type ?? '').toLowerCase().replace(/[^a-z]+/g, '_');
  // Without a known type, a record that is the domain itself is still worth showing.
  if (name === '' || name === '_') return 'domain';
  if (
    /^src|client|^arp|mac|eui|auth|user|ident|browser|agent|port|method|time|urlpath|mime|header|ext/.test(
      name,
    )
  ) {
    return 'other';
  }
  const isRegex = /reg/.test(name);
  if (/url/.test(name)) return isRegex ? 'url_regex' : 'other';
  if (/dom|sni|server_name|host|site/.test(name)) return isRegex ? 'domain_regex' : 'domain';
  if (/^dst|^dest|ip|addr|net/.test(name)) return 'network';
  return 'domain';
}

export const canMatch = (type: string | undefined): boolean => kindOf(type) !== 'other';
