import { actionables } from '../actionables.ts';
import type { Block } from '../protocol.ts';

/** Something on a message, modal or App Home that a person can use, with the words they would call it by. */
export interface Usable {
  readonly blockId: string;
  readonly actionId: string;
  readonly element: Block;
  /** The first one is what a form calls it. */
  readonly names: readonly string[];
  readonly hint: string | undefined;
  readonly isOptional: boolean;
  /** False for inputs, whose values are kept until the form is submitted. */
  readonly tellsAtOnce: boolean;
}

/** An option of a select, as the app wrote it. */
export interface Option {
  readonly text: { readonly text: string };
  readonly value: string;
}

/** All of them, in the order in which they are read; also those in cards and containers. */
export function usablesOf(blocks: readonly Block[]): Usable[] {
  return blocks.flatMap((block) => {
    const nested = [block.child_blocks, block.type === 'carousel' ? block.elements : undefined].find(
      isBlocks,
    );
    if (nested !== undefined) return usablesOf(nested);
    return [...actionables([block], '')].map(({ element }) => ({
      blockId: block.block_id ?? '',
      actionId: String(element.action_id ?? ''),
      element,
      names: namesOf(block, element),
      hint: block.type === 'input' ? words(block.hint) : undefined,
      isOptional: block.optional === true,
      tellsAtOnce: block.type !== 'input' || block.dispatch_action === true,
    }));
  });
}

/** The options that the app wrote into the element itself, groups laid end to end. */
export function optionsOf({ element }: Usable): readonly Option[] {
  return flatOptions([...list(element.options), ...list(element.option_groups)]);
}

/** Options, or groups of options, laid end to end. The workspace has checked their shape. */
export function flatOptions(given: readonly unknown[]): readonly Option[] {
  return (given as readonly (Option | { readonly options: readonly Option[] })[]).flatMap((entry) =>
    'options' in entry ? entry.options : [entry],
  );
}

/** The text of a text object; undefined for anything else. */
export function words(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
    ? value.text
    : undefined;
}

function namesOf(block: Block, element: Block): string[] {
  const ofBlock = block.type === 'input' ? block.label : block.type === 'section' ? block.text : undefined;
  const own = [element.text, element.placeholder];
  // A button goes by its own text; the label of an input stands above the placeholder in it.
  const ordered = element.type === 'button' ? [...own, ofBlock] : [ofBlock, ...own];
  return ordered.flatMap((text) => words(text) ?? []);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Only lists of blocks stand in these places. */
function isBlocks(value: unknown): value is readonly Block[] {
  return Array.isArray(value);
}
