/** What an action is about, by name: the sites, objects, people and servers of its line and of its preview. */

import type { Json } from '../json.ts';

/** So many names of one action are kept: whoever adds a thousand sites at once looks for that by another. */
const most = 30;
const longest = 100;

/** The names in arguments, each once, as they are looked for; numbers are no names. */
export function namesIn(...all: readonly (Json | undefined)[]): readonly string[] {
  const names = new Set<string>();
  const look = (json: Json | undefined): void => {
    if (names.size >= most) return;
    if (typeof json === 'string') {
      if (json.length <= longest && /[^\s\d]/.test(json)) names.add(spelled(json));
    } else if (Array.isArray(json)) for (const one of json) look(one);
    else if (typeof json === 'object' && json !== null) for (const one of Object.values(json)) look(one);
  };
  for (const json of all) look(json);
  return [...names];
}

/** However somebody writes its letters; of an address only whose it is. */
function spelled(name: string): string {
  const plain = name.trim().toLowerCase().split(/\s+/).join(' ');
  const [host = ''] = (plain.split('://').at(-1) ?? '').split(/[/?#:]/, 1);
  const labels = host.split('.').filter((label) => label !== '' && label !== '*');
  const isHost = labels.length > 1 && !host.includes(' ') && !/^\d+$/.test(labels.at(-1) ?? '');
  if (!isHost) return plain;
  return (labels[0] === 'www' && labels.length > 2 ? labels.slice(1) : labels).join('.');
}

/** By what it is found: a site also by the domains that it belongs to. */
export const aboutTerms = (names: readonly string[]): readonly string[] => [
  // What every record has that tells what it is about, and no record of earlier versions.
  isTold,
  ...new Set(names.flatMap(withDomains).map(termOf)),
];

export const isTold = 'about';

export const aboutTerm = (typed: string): string => termOf(spelled(typed));

const termOf = (name: string): string => `about:${name}`;

/** So far up: what is longer is made by machines. */
const levels = 5;

function withDomains(name: string): readonly string[] {
  const labels = name.includes(' ') || /\.\d+$/.test(name) ? [name] : name.split('.');
  return labels
    .slice(0, Math.max(1, labels.length - 1))
    .flatMap((_, index) =>
      index === 0 || labels.length - index <= levels ? [labels.slice(index).join('.')] : [],
    );
}
