import type { ReactNode } from 'react';
import type { Block } from '../../protocol.ts';
import { Actions } from './Actions.tsx';
import { DataTable } from './DataTable.tsx';
import { type Element, elementsOf, isInteractive, withBlockIds } from './elements.ts';
import { Input } from './Input.tsx';
import { unescaped } from './mrkdwn.ts';
import { withEmoji } from './symbols.ts';
import { type Columns, type Rows, Table } from './Table.tsx';
import { isText, Text } from './Text.tsx';
import { UsableElement } from './UsableElement.tsx';

/** The blocks as the renderer gets them, and what belongs into the slots (see Draw.tsx). */
export interface Prepared {
  readonly drawn: readonly Block[];
  readonly slots: ReadonlyMap<string, ReactNode>;
}

const known = new Set(
  'section divider image context header video table file context_actions markdown plan task_card alert card carousel container data_visualization'.split(
    ' ',
  ),
);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
// Whatever stands where the format has blocks is treated as one; unknown fields are never read.
const blockList = (value: unknown) => list(value) as readonly Block[];

export function prepare(blocks: readonly Block[]): Prepared {
  const slots = new Map<string, ReactNode>();

  const slot = (node: ReactNode) => {
    const id = `slot-${slots.size}`;
    slots.set(id, node);
    return { type: 'mrkdwn', text: `<@${id}>` };
  };

  /** A block that is all ours, in the frame of an empty section. */
  const own = (block: Block, node: ReactNode): Block => ({
    type: 'section',
    ...(block.block_id && { block_id: block.block_id }),
    text: slot(node),
  });

  const texts = <T extends object>(holder: T): T =>
    // Only text objects are exchanged, for text objects.
    Object.fromEntries(
      Object.entries(holder).map(([key, value]) => [key, isText(value) ? slot(<Text of={value} />) : value]),
    ) as T;

  const buttons = (block: Block, elements: readonly Element[]) => (
    <Actions key={block.block_id} blockId={block.block_id ?? ''} elements={elements} />
  );

  const card = (block: Block): Block => {
    const { actions, subtext, ...rest } = block;
    const elements = elementsOf({ type: 'card', actions });
    const body = slot(
      <>
        {isText(block.body) && <Text of={block.body} />}
        {isText(subtext) && <Text of={subtext} className="subtext" />}
        {elements.length > 0 && buttons(block, elements)}
      </>,
    );
    return { ...texts(rest), type: 'card', body };
  };

  const section = (block: Block): Block => {
    const { accessory, fields, ...rest } = block;
    const drawn = { ...texts(rest), ...(fields !== undefined && { fields: list(fields).map(text) }) };
    if (!isInteractive(accessory)) return { ...drawn, ...(accessory !== undefined && { accessory }) };
    return own(
      block,
      <span className="with-accessory">
        <span className="with-accessory-text">
          {isText(block.text) && <Text of={block.text} />}
          {list(fields)
            .filter(isText)
            .map((field, index) => (
              // Fields have no identity of their own, and never change places.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <Text key={index} of={field} />
            ))}
        </span>
        <UsableElement key={block.block_id} blockId={block.block_id ?? ''} element={accessory} />
      </span>,
    );
  };

  const text = (value: unknown) => (isText(value) ? slot(<Text of={value} />) : value);

  const container = (block: Block): Block => ({
    ...block,
    // The renderer names the group by its title, so the title itself must stay readable.
    ...(isText(block.title) && {
      title: { type: 'plain_text', text: unescaped(block.title.text), verbatim: true },
    }),
    ...(isText(block.subtitle) && { subtitle: text(block.subtitle) }),
    child_blocks: withBlockIds(blockList(block.child_blocks), block.block_id).map(one),
  });

  const one = (block: Block): Block => {
    switch (block.type) {
      case 'actions':
        return own(block, buttons(block, elementsOf(block)));
      case 'input':
        return own(block, <Input key={block.block_id} block={block} />);
      case 'section':
        return section(block);
      case 'context':
        return { ...block, elements: list(block.elements).map(text) };
      case 'card':
        return card(block);
      case 'carousel':
        return { ...block, elements: blockList(block.elements).map(card) };
      case 'container':
        return container(block);
      case 'rich_text':
        return withEmoji({ ...block, elements: blockList(block.elements) });
      case 'table':
        // The workspace has checked the block before it shows it.
        return own(block, <Table rows={block.rows as Rows} columns={block.column_settings as Columns} />);
      case 'data_table':
        return own(block, <DataTable key={block.block_id} block={block} />);
      default:
        return known.has(block.type)
          ? texts(block)
          : own(block, <span className="unknown-block">A block of type “{block.type}”</span>);
    }
  };

  return { drawn: blocks.map(one), slots };
}
