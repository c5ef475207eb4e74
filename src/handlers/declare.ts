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

/** Declarations of commands. Help, permissions, matching and forms all follow from them. */

/**
 * A phrase with slots needs an argument for each, and an example. A phrase without slots takes nothing, and is
 * its own example unless another is given.
 */
type Filled<Phrase extends string, Arguments> = Described<Phrase> & {
  readonly args?: Arguments;
  readonly example?: string;
} & (keyof Slots<Phrase> extends never ? unknown : { readonly args: Arguments; readonly example: string });

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
 * A change. Its effect has no default: it decides who may run the command and whether anybody confirms, so
 * every declaration must state it.
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
 * Collects lines. Each is a change of its own. The command itself needs the permission of a reversible change,
 * and its lines need theirs in addition.
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
    kind: 'change',
    effect: 'write',
    preview: lineByLine,
    run: lineByLine,
    verify: { notCheckable: 'each line is verified by itself' },
    ...declaration,
  });
}

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
