/** The meaning of an order, by the appliance's own manual. */
export interface Meaning {
  /** The command that asks for it. */
  readonly phrase: string;
  /** The words in the line of that command; empty when the line can be any. */
  readonly words: string;
  /** The number of its object. */
  readonly number?: number;
  /** Sent again until it is seen to have worked, which changes nothing. */
  readonly mayRepeat?: true;
}

const known: readonly (readonly [RegExp, string])[] = [
  [/^POST \/rdpproxy\/sessions\/(\d+)\/disconnect$/, 'rdp disconnect'],
  [/^POST \/rdpproxy\/policies\/(\d+)\/disable$/, 'rdp policy disable'],
  [/^POST \/rdpproxy\/policies\/(\d+)\/enable$/, 'rdp policy enable'],
  [/^DELETE \/rdpproxy\/policies\/(\d+)$/, 'rdp policy delete'],
  [/^PUT \/rdpproxy\/members\/(\d+)$/, 'rdp member password'],
  [/^GET \/proxy\/acls\/object\/disable\/(\d+)$/, 'acl object disable'],
  [/^GET \/proxy\/acls\/object\/enable\/(\d+)$/, 'acl object enable'],
  [/^GET \/categories\/207\/host-(\d+)\.example$/, 'category add'],
  [/^GET \/categories\/delete\/207\/host-(\d+)\.example$/, 'category delete'],
];

const repeated: readonly (readonly [RegExp, string])[] = [
  [/^\w+ \/proxy\/acls\/compile$/, 'acl object disable'],
  [/^\w+ \/(?:categories\/207|webfilter\/rules)\/compile$/, 'category add'],
  [/^\w+ \/emergency_disable$/, 'emergency enable'],
];

/** Undefined for what only reads. */
export function meaningOf(method: string, path: string): Meaning | undefined {
  const asked = `${method} ${path.replace(/\?.*$/, '')}`;
  for (const [pattern, phrase] of known) {
    const [, number] = pattern.exec(asked) ?? [];
    if (number !== undefined) return { phrase, words: number, number: Number(number) };
  }
  for (const [pattern, phrase] of repeated) {
    if (pattern.test(asked)) return { phrase, words: '', mayRepeat: true };
  }
  if (/\/emergency_enable$/.test(asked)) return { phrase: 'emergency enable', words: '' };
  const isOrder =
    method !== 'GET' || /\/(?:add|compile|delete|disable|enable|remove|reset|restart|set|sync)\b/.test(asked);
  return isOrder ? { phrase: 'nothing that anybody types here', words: '' } : undefined;
}
