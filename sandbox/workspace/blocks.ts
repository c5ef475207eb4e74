import { randomBytes } from 'node:crypto';
import { actionables, isElement } from './actionables.ts';
import { blockSchemas, viewSchemas } from './block-kit/schemas.ts';
import { crossFieldProblems } from './block-kit/sums.ts';
import { schemaProblems } from './block-kit/validate.ts';
import type { Block } from './protocol.ts';

export type Surface = 'message' | 'modal' | 'home';

/** Blocks that do not go everywhere (slack-facts.md §3, column "surfaces"). Not listed: all surfaces. */
const surfaces: Readonly<Record<string, readonly Surface[]>> = {
  context_actions: ['message'],
  markdown: ['message'],
  table: ['message', 'home'],
  data_table: ['message', 'home'],
  data_visualization: ['message', 'home'],
  alert: ['modal'],
  carousel: ['message', 'home'],
  container: ['message', 'home'],
  task_card: ['message'],
  plan: ['message'],
};

/** Blocks that a container may hold (slack-facts.md §3; `video` and `file` are left out, the app can send neither). */
const childBlocks = new Set([
  'actions',
  'context',
  'divider',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
]);

/**
 * Checks blocks as Slack does before it takes a message or view. Answers every problem as
 * `what is wrong [json-pointer:/blocks/…]`, and the blocks with the IDs Slack makes up for those that have none.
 * `at` is the pointer of the list itself.
 */
export function checkBlocks(
  given: readonly unknown[],
  surface: Surface,
  at = '/blocks',
): { readonly problems: readonly string[]; readonly blocks: readonly Block[] } {
  const problems = given.flatMap((block, index) => blockProblems(block, surface, `${at}/${index}`));
  if (problems.length > 0) return { problems, blocks: [] };
  // Every block is an object with a known type by now.
  const checked = given as readonly Block[];
  return {
    problems: [...duplicates(checked, surface, at), ...crossFieldProblems(checked, at)],
    blocks: checked.map(withIds),
  };
}

/** Problems of a view apart from its blocks; pointers start at `/view`. */
export function viewProblems(view: unknown, type: 'modal' | 'home'): readonly string[] {
  return schemaProblems(viewSchemas[type], view, '/view');
}

function blockProblems(block: unknown, surface: Surface, at: string): string[] {
  if (typeof block !== 'object' || block === null || Array.isArray(block))
    return [`must be an object ${pointer(at)}`];
  const type = 'type' in block ? block.type : undefined;
  if (typeof type !== 'string') return [`missing required field: type ${pointer(at)}`];
  const schema = blockSchemas[type];
  const allowed = surfaces[type];
  if (schema === undefined || (allowed !== undefined && !allowed.includes(surface))) {
    return [`unsupported type: ${type} ${pointer(`${at}/type`)}`];
  }
  const problems = schemaProblems(schema, block, at);
  if (type !== 'container' || problems.length > 0) return problems;
  const children = (block as { readonly child_blocks?: readonly unknown[] }).child_blocks ?? [];
  return children.flatMap((child, index) => childProblems(child, surface, `${at}/child_blocks/${index}`));
}

function childProblems(child: unknown, surface: Surface, at: string): string[] {
  const type = typeof child === 'object' && child !== null && 'type' in child ? child.type : undefined;
  if (typeof type === 'string' && !childBlocks.has(type))
    return [`unsupported type: ${type} ${pointer(`${at}/type`)}`];
  return blockProblems(child, surface, at);
}

function* allBlocks(
  blocks: readonly Block[],
  at: string,
): Generator<{ readonly block: Block; readonly at: string }> {
  for (const [index, block] of blocks.entries()) {
    yield { block, at: `${at}/${index}` };
    if (Array.isArray(block.child_blocks))
      yield* allBlocks(block.child_blocks, `${at}/${index}/child_blocks`);
  }
}

/** A block_id is unique in its message or view, an action_id in its message or, in views, its block (slack-facts.md §2). */
function duplicates(blocks: readonly Block[], surface: Surface, at: string): string[] {
  const blockIds = [...allBlocks(blocks, at)].map(({ block, at: here }) => ({
    id: block.block_id,
    at: here,
  }));
  const actionIds = [...actionables(blocks, at)].map(({ element, at: here }) => ({
    id: element.action_id,
    at: here,
  }));
  const perBlock = Map.groupBy(actionIds, ({ at: here }) =>
    surface === 'message' ? at : here.replace(/\/[a-z]+(\/\d+)?$/, ''),
  );
  return [
    ...repeated('block_id', blockIds),
    ...[...perBlock.values()].flatMap((ids) => repeated('action_id', ids)),
  ];
}

function repeated(name: string, ids: readonly { readonly id: unknown; readonly at: string }[]): string[] {
  const seen = new Set<unknown>();
  return ids.flatMap(({ id, at }) => {
    const again = id !== undefined && seen.has(id);
    seen.add(id);
    return again ? [`${name} already exists: ${id} ${pointer(`${at}/${name}`)}`] : [];
  });
}

/** Gives IDs to the blocks and elements that came without, as Slack does. */
function withIds(block: Block): Block {
  const named: Record<string, unknown> = { ...block, block_id: block.block_id ?? randomId() };
  for (const key of ['accessory', 'element'] as const) {
    if (isElement(named[key])) named[key] = withActionId(named[key]);
  }
  for (const key of ['elements', 'actions'] as const) {
    const nested = named[key];
    if (!Array.isArray(nested) || block.type === 'rich_text' || block.type === 'context') continue;
    named[key] = nested.map((element: Block) =>
      block.type === 'carousel' ? withIds(element) : withActionId(element),
    );
  }
  if (Array.isArray(block.child_blocks)) named.child_blocks = block.child_blocks.map(withIds);
  // The copy is the same block with more IDs.
  return named as Block;
}

function withActionId(element: Block): Block {
  return element.type === 'image' || typeof element.action_id === 'string'
    ? element
    : { ...element, action_id: randomId() };
}

function randomId(): string {
  return randomBytes(4).toString('base64url').slice(0, 5);
}

function pointer(at: string): string {
  return `[json-pointer:${at}]`;
}
