import { checkBlocks } from './blocks.ts';
import { readEntity } from './entities/entity.ts';
import type { Content } from './messages.ts';
import type { Block } from './protocol.ts';
import { Refusal, refuseWith } from './refusal.ts';

/** Limits of a message's text (slack-facts.md §1): posted text is cut, updated text refused. */
export const textLimits = { posted: 40_000, updated: 4_000, markdown: 12_000 } as const;

/**
 * Limits of a message's blocks: their number (slack-facts.md §3), and the characters of their JSON. Slack refuses
 * messages that are too long in all, but publishes no number; this one is an assumption. Tables do not count here:
 * they have published limits of their own (block-kit/sums.ts), and cells that are mostly JSON.
 */
const blockLimits = { count: 50, characters: 50_000 } as const;

/** The arguments of a message as they came; absent ones are undefined, JSON strings are parsed. */
export interface GivenContent {
  readonly text: string | undefined;
  readonly blocks: readonly Block[] | undefined;
  readonly attachments: readonly unknown[] | undefined;
}

/**
 * Reads and checks text, blocks and attachments of a message.
 * Refuses with invalid_blocks_format, invalid_blocks, msg_blocks_too_long, too_many_attachments, invalid_arguments.
 */
export function readContent(args: Readonly<Record<string, unknown>>): GivenContent {
  const blocks = readList(args.blocks, 'invalid_blocks_format');
  const attachments = readList(args.attachments, 'invalid_attachments')?.map(acceptAttachment);
  const markdown = optionalText(args.markdown_text, 'markdown_text');
  const text = optionalText(args.text, 'text');
  if (attachments !== undefined && attachments.length > 100) throw new Refusal('too_many_attachments');
  if (markdown !== undefined) {
    if (text !== undefined || blocks !== undefined) throw new Refusal('markdown_text_conflict');
    if (markdown.length > textLimits.markdown) throw new Refusal('msg_too_long');
    return { text: markdown, blocks: [{ type: 'markdown', text: markdown }], attachments };
  }
  return { text, blocks: blocks === undefined ? undefined : acceptBlocks(blocks), attachments };
}

/** The content of a new message. Refuses with no_text when it is empty; cuts text over the limit, as Slack does. */
export function newContent(args: Readonly<Record<string, unknown>>): Content {
  const given = readContent(args);
  const empty = (given.text ?? '') === '' && !given.blocks?.length && !given.attachments?.length;
  if (empty) throw new Refusal('no_text');
  return {
    text: (given.text ?? '').slice(0, textLimits.posted),
    blocks: given.blocks?.length ? given.blocks : undefined,
    attachments: given.attachments,
    metadata: readMetadata(args.metadata),
  };
}

/** A message's metadata and entities, parsed; undefined when not given. Refuses with invalid_metadata_format or invalid_metadata_schema. */
export function readMetadata(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined || given === '') return undefined;
  const value = parseJson(given, 'invalid_metadata_format');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_metadata_format');
  }
  const metadata = value as Readonly<Record<string, unknown>>;
  const { entities, ...rest } = metadata;
  const named = typeof rest.event_type === 'string' && typeof rest.event_payload === 'object';
  if (Object.keys(rest).length > 0 && !named) throw new Refusal('invalid_metadata_schema');
  if (entities === undefined) return metadata;
  if (!Array.isArray(entities)) throw new Refusal('invalid_metadata_format');
  const read = entities.map((entity, index) => readEntity(entity, `/metadata/entities/${index}`));
  const problems = read.flatMap((one) => ('problems' in one ? one.problems : []));
  if (problems.length > 0) throw refuseWith('invalid_metadata_schema', problems);
  return metadata;
}

function acceptBlocks(blocks: readonly unknown[]): readonly Block[] {
  const counted = JSON.stringify(blocks.filter((block) => !isTable(block))).length;
  if (blocks.length > blockLimits.count)
    throw refuseWith('invalid_blocks', [
      `no more than ${blockLimits.count} items allowed [json-pointer:/blocks]`,
    ]);
  if (counted > blockLimits.characters) throw new Refusal('msg_blocks_too_long');
  const checked = checkBlocks(blocks, 'message');
  if (checked.problems.length > 0) throw refuseWith('invalid_blocks', checked.problems);
  return checked.blocks;
}

/** An attachment may hold blocks; a fault of a block is a fault of the attachment (bolt-js#717). */
function acceptAttachment(attachment: unknown, index: number): unknown {
  if (typeof attachment !== 'object' || attachment === null || Array.isArray(attachment))
    throw new Refusal('invalid_attachments');
  if (!('blocks' in attachment)) return attachment;
  const { blocks } = attachment;
  if (!Array.isArray(blocks)) throw new Refusal('invalid_attachments');
  const checked = checkBlocks(blocks, 'message', `/attachments/${index}/blocks`);
  if (checked.problems.length > 0) throw refuseWith('invalid_attachments', checked.problems);
  return { ...attachment, blocks: checked.blocks };
}

function isTable(block: unknown): boolean {
  const type = typeof block === 'object' && block !== null && 'type' in block ? block.type : undefined;
  return type === 'table' || type === 'data_table';
}

/** A list that arrives as JSON text in form bodies and as itself in JSON bodies. */
function readList(given: unknown, error: string): readonly unknown[] | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const value = parseJson(given, error);
  if (!Array.isArray(value)) throw new Refusal(error);
  return value;
}

/** Parses JSON text; anything that is no text is taken as it is. */
export function parseJson(given: unknown, error: string): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    throw new Refusal(error);
  }
}

function optionalText(given: unknown, name: string): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return given;
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  throw refuseWith('invalid_arguments', [`must be a string [json-pointer:/${name}]`]);
}
