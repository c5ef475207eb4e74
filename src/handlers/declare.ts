import type {
  ArgumentsFor,
  ChangeDeclaration,
  Command,
  Described,
  Gathers,
  InfoDeclaration,
  LookupDeclaration,
  Slots,
  Values,
} from './command.ts';

import { readingBack } from './listing.ts';

/** How commands are declared. Everything else (help, permissions, matching, forms) is derived from the declaration. */

/**
 * Where the phrase has slots, an argument for each and an example that fills them. Where it has none, there is nothing
 * to take, and the phrase is its own example unless another is given.
 */
type Filled<Phrase extends string, Arguments> = Described<Phrase> & {
  readonly args?: Arguments;
  readonly example?: string;
} & (keyof Slots<Phrase> extends never ? unknown : { readonly args: Arguments; readonly example: string });

/** Asks an appliance and answers in the channel. */
export function lookup<
  const Phrase extends string,
  const Arguments extends ArgumentsFor<Phrase> = ArgumentsFor<Phrase>,
>(
  declaration: Filled<Phrase, Arguments> &
    Omit<LookupDeclaration<Values<Phrase, Arguments>>, 'kind' | 'effect'>,
): Command<Phrase, Arguments> {
  return filled({ kind: 'lookup', effect: 'read', ...declaration });
}

/**
 * Changes something. What it does at worst has no default: that decides who may run it and whether anybody is asked
 * before, so whoever reads the declaration must see it there, and whoever writes it must have thought of it.
 */
export function change<
  const Phrase extends string,
  const Arguments extends ArgumentsFor<Phrase> = ArgumentsFor<Phrase>,
>(
  declaration: Filled<Phrase, Arguments> & Omit<ChangeDeclaration<Values<Phrase, Arguments>>, 'kind'>,
): Command<Phrase, Arguments> {
  return filled({ kind: 'change', ...declaration, ...readingBack(declaration) });
}

/**
 * Gathers lines, each of which is a change of its own. As a command it needs what any reversible change needs; what its lines need
 * comes on top.
 */
export function gathering<
  const Phrase extends string,
  const Arguments extends ArgumentsFor<Phrase> = ArgumentsFor<Phrase>,
>(
  declaration: Filled<Phrase, Arguments> &
    Pick<ChangeDeclaration<Values<Phrase, Arguments>>, 'verb' | 'doing' | 'done'> & {
      readonly gathers: Gathers;
    },
): Command<Phrase, Arguments> {
  const lineByLine = () => Promise.reject(new Error('A plan is looked at and run line by line'));
  return filled({
    ...{ kind: 'change', effect: 'write', preview: lineByLine, run: lineByLine },
    verify: { notCheckable: 'each line is verified by itself' },
    ...declaration,
  });
}

/** Answers from the bot's own knowledge; what leads to changes declares the effect `write`. */
export function info<
  const Phrase extends string,
  const Arguments extends ArgumentsFor<Phrase> = ArgumentsFor<Phrase>,
>(
  declaration: Filled<Phrase, Arguments> &
    Omit<InfoDeclaration<Values<Phrase, Arguments>>, 'kind' | 'effect'> & { readonly effect?: 'write' },
): Command<Phrase, Arguments> {
  return filled({ ...declaration, kind: 'info', effect: declaration.effect ?? 'read' });
}

function filled<Declared extends { readonly phrase: string }>(declared: Declared) {
  return { args: {}, example: declared.phrase, ...declared };
}
