import { commands } from '../src/handlers/registry.ts';

/** How people ask for each command, by its phrase, without names of slots. */
const said = new Map(
  commands.map(({ phrase, says = '' }): readonly [string, string] => [
    phrase,
    says
      .replace(/<[^>]*>|\//g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]),
);

/** The page of commands as the search reads it: below each command stands how people ask for it, such as 2fa for `mfa`. */
export const withSaid = (page: string): string =>
  page.replace(/^### `(.+)`$/gm, (heading, phrase) => `${heading}\n\n${said.get(phrase) ?? ''}`);
