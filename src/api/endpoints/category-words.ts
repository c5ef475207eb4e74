/** What appliances say about categories in words alone, where no field of their answer has it (appliance-api.md §4.3). */

/** A count of none, or that nothing was found. */
const none = [
  /^\W*0\W*$/,
  /\b(?:0|no|none|zero|nothing)\b(?: \w+)? ?(?:categor|results?\b|match|entr|records?\b|found\b)/i,
  /\bcategor[\w()]* ?(?:found)? ?[:=] ?0\b/i,
  /^none\b/i,
  /\b(?:un|not (?:yet )?|n[’']t )categori[sz]ed\b/i,
  /\b(?:is |was )?not in (?:a|any) category\b/i,
  /^(?:the )?(?:site|domain|website|host|item)? ?(?:is |was )?not found\b/i,
];

/** Why there is no such statement, whatever else stands beside it. */
const trouble =
  /\b(?:unable|fail\w*|errors?|fatal|denied|refus\w*|locked|busy|crash\w*|disabled|stopped|unavailable|time[d ]? ?out|cannot|can[’']t|could ?n[o’']t|not (?:running|available|enabled|allowed|reachable|loaded))\b/i;

/** Whether these words say that the domain is in no category. Anything else says nothing about it. */
export function saysNone(words: string, domain: string): boolean {
  const said = words.toLowerCase().replaceAll(domain.toLowerCase(), 'site');
  return !trouble.test(said) && none.some((says) => says.test(said));
}

/**
 * `2 sites added in category_github1 (14 elements)`: how many lines it took, those of sites that were there already
 * included, and how many sites the category has now.
 */
export function addedIn(words: string): { readonly count?: number; readonly items?: number } {
  const [, count, items] = /^(\d+) (?:sites?|items?) added\b(?:[^(]*\((\d+) elements?\))?/i.exec(words) ?? [];
  return {
    ...(count !== undefined && { count: Number(count) }),
    ...(items !== undefined && { items: Number(items) }),
  };
}
