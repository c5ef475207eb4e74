/**
 * A text that a print function took as its format. Every percent sign becomes a verb without a value: `100% done` becomes
 * `100%!d(MISSING)one`. Before a quotation mark it takes that, and so breaks JSON.
 */
export function printed(format: string): string {
  return format.replaceAll(/%[-+# 0]*[\d.]*([\s\S]?)/gu, (_, verb: string) => {
    if (verb === '') return '%!(NOVERB)';
    return verb === '%' ? '%' : `%!${verb}(MISSING)`;
  });
}
