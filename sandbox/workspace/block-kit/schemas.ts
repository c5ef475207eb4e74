/**
 * The shapes of Block Kit as JSON Schema (draft-07), one for each block. Sources: the schemas and tables of
 * slack-facts.md §2 and §3. Rules beyond a schema (sums, counts over a whole message, places of blocks) are in sums.ts
 * and ../blocks.ts.
 */
import { basicBlocks } from './basic-blocks.ts';
import { composedBlocks } from './composed-blocks.ts';
import { dataBlocks } from './data-blocks.ts';
import { confirmSchema, optionGroupSchema, optionSchema } from './elements.ts';
import { richTextSchema } from './rich-text.ts';
import { bool, plain, type Schema, shape, text } from './shapes.ts';

/** Shapes that others refer to. */
export const definitions: Readonly<Record<string, Schema>> = {
  confirm: confirmSchema,
  option: optionSchema,
  option_group: optionGroupSchema,
  rich_text: richTextSchema,
};

/** A block's schema by its type. */
export const blockSchemas: Readonly<Record<string, Schema>> = {
  ...basicBlocks,
  ...dataBlocks,
  ...composedBlocks,
};

/** The shapes of a modal and an App Home, apart from their blocks (slack-facts.md §2). */
export const viewSchemas: Readonly<Record<'modal' | 'home', Schema>> = {
  modal: shape(
    'modal',
    {
      title: plain(24),
      submit: plain(24),
      close: plain(24),
      blocks: { type: 'array', minItems: 0, maxItems: 100 },
      private_metadata: text(3000, 0),
      callback_id: text(255, 0),
      external_id: text(255, 0),
      clear_on_close: bool,
      notify_on_close: bool,
      submit_disabled: bool,
    },
    ['title', 'blocks'],
  ),
  home: shape(
    'home',
    {
      blocks: { type: 'array', minItems: 0, maxItems: 100 },
      private_metadata: text(3000, 0),
      callback_id: text(255, 0),
      external_id: text(255, 0),
    },
    ['blocks'],
  ),
};
