/**
 * A text that was given to a print function as its format, which takes every percent sign for the start of a verb whose
 * value is missing: `100% done` becomes `100%!d(MISSING)one`. Before a quotation mark it takes that, and so breaks JSON.
 */
export function printed(format: string): string {
  return format.replaceAll(/%[-+# 0]*[\d.]*([\s\S]?)/gu, (_, verb: string) => {
    if (verb === '') return '%!(NOVERB)';
    return verb === '%' ? '%' : `%!${verb}(MISSING)`;
  });
}
