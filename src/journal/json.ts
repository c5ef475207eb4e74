/** What can be kept as JSON text and read back as it was. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
