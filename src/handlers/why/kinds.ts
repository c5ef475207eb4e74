/**
 * How the records of an object are compared. The document does not name the types (appliance-api.md §2.1, §2.4
 * give only examples in words). They are read from their names, which are those of the proxy's matchers:
 * `dstdomain`, `ssl_sni_regex`.
 */
export type ComparedKind =
  /** A domain; a leading dot includes all domains below. */
  | 'domain'
  /** A regular expression for the host name. */
  | 'domain_regex'
  /** A regular expression for the whole URL. */
  | 'url_regex'
  /** An address or a network, for the addresses of the name. */
  | 'network'
  /** About client, user, port, path or time, and not about a domain. */
  | 'other';

export function kindOf(type: string | undefined): ComparedKind {
  const name = (type ?? '').toLowerCase().replace(/[^a-z]+/g, '_');
  // With an unknown type, a record that equals the domain is still worth showing.
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
