/**
 * What an appliance meant where it has given a text to a print function as its format: every percent sign then takes what
 * follows for a verb whose value is missing (field notes). `100%!d(MISSING)one` was `100%done`; before a quotation mark this
 * breaks the JSON around it.
 */
export function asMeant(text: string): string {
  if (!text.includes('%!')) return text;
  return text.replaceAll(/%!([\s\S])\(MISSING\)/gu, '%$1').replaceAll('%!(NOVERB)', '%');
}
