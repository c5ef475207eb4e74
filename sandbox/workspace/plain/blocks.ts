import type { Block } from '../protocol.ts';
import { richText } from './rich-text.ts';
import { chartLines, tableLines } from './tables.ts';
import { mrkdwn, plain, type Reading } from './text.ts';

type Part = Readonly<Record<string, unknown>>;

/** Blocks as lines of plain text. A block it does not know is named, not dropped. */
export function blockLines(blocks: readonly Block[], reading: Reading): string[] {
  return blocks.flatMap((block) => lines(block, reading));
}

function lines(block: Block, reading: Reading): string[] {
  const text = (value: unknown): string[] => textLines(value, reading);
  switch (block.type) {
    case 'section':
      return [...beside(text(block.text), block.accessory, reading), ...fieldLines(block.fields, reading)];
    case 'header':
      return text(block.text);
    case 'markdown':
      return String(block.text).split('\n');
    case 'divider':
      return ['─'.repeat(24)];
    case 'context':
      return [
        parts(block.elements)
          .flatMap((element) => (element.type === 'image' ? [`[${element.alt_text}]`] : text(element)))
          .join(' · '),
      ];
    case 'actions':
    case 'context_actions':
      return [elementLine(parts(block.elements), reading)];
    case 'image':
      return [...text(block.title), `[image: ${block.alt_text}]`];
    case 'input':
      return [`${text(block.label).join(' ')}: ${elementLine([block.element as Part], reading)}`];
    case 'rich_text':
      return richText(block, reading);
    case 'table':
    case 'data_table':
      return [...(block.caption === undefined ? [] : [String(block.caption)]), ...tableLines(block, reading)];
    case 'data_visualization':
      return [String(block.title), ...chartLines(block.chart)];
    case 'alert':
      return text(block.text).map((line) => `! ${line}`);
    case 'card':
      return [
        ...text(block.title),
        ...text(block.subtitle),
        ...text(block.body),
        ...text(block.subtext),
        ...buttons(block.actions, reading),
      ];
    case 'carousel':
      return blockLines(parts(block.elements) as readonly Block[], reading);
    case 'container': {
      const title =
        block.title === undefined ? richText(block.rich_text_title as Part, reading) : text(block.title);
      const inside = blockLines(parts(block.child_blocks) as readonly Block[], reading);
      return [...title, ...text(block.subtitle), ...inside.map((line) => `  ${line}`)];
    }
    case 'task_card':
      return taskLines(block, reading);
    case 'plan':
      return [
        String(block.title),
        ...parts(block.tasks).flatMap((task) => taskLines(task, reading).map((line) => `  ${line}`)),
      ];
    default:
      return [`[${block.type}]`];
  }
}

const taskMarks: Readonly<Record<string, string>> = {
  pending: '[ ]',
  in_progress: '[…]',
  complete: '[x]',
  error: '[!]',
};

function taskLines(task: Part, reading: Reading): string[] {
  const more = [task.details, task.output].filter((value) => value !== undefined);
  return [
    `${taskMarks[String(task.status)] ?? '[ ]'} ${task.title}`,
    ...more.flatMap((value) => richText(value as Part, reading).map((line) => `    ${line}`)),
  ];
}

/** One line each: fields side by side in Slack are read one after the other. */
const fieldLines = (fields: unknown, reading: Reading): string[] =>
  parts(fields).map((field) => textLines(field, reading).join('  '));

function beside(text: readonly string[], accessory: unknown, reading: Reading): string[] {
  if (accessory === undefined) return [...text];
  const [first = '', ...rest] = text;
  return [`${first}  ${elementLine([accessory as Part], reading)}`, ...rest];
}

function buttons(actions: unknown, reading: Reading): string[] {
  return actions === undefined ? [] : [elementLine(parts(actions), reading)];
}

/** `[Disconnect] [Cancel] [Choose an appliance ▾]` */
function elementLine(elements: readonly Part[], reading: Reading): string {
  return elements.map((element) => `[${elementText(element, reading)}]`).join(' ');
}

function elementText(element: Part, reading: Reading): string {
  const text = (value: unknown): string => textLines(value, reading).join(' ');
  switch (element.type) {
    case 'button':
    case 'workflow_button':
    case 'icon_button':
      return text(element.text);
    case 'image':
      return String(element.alt_text);
    case 'overflow':
      return '⋯';
    case 'checkboxes':
    case 'radio_buttons':
      return parts(element.options)
        .map((option) => text(option.text))
        .join(' | ');
    default: {
      const chosen = (element.initial_option as Part | undefined)?.text;
      const shown = chosen === undefined ? text(element.placeholder) : text(chosen);
      const value = typeof element.initial_value === 'string' ? element.initial_value : shown;
      return String(element.type).endsWith('_input') ? value : `${value} ▾`.trim();
    }
  }
}

/** The lines of a text object; none for no text. */
function textLines(value: unknown, reading: Reading): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, text } = value as Part;
  const read = type === 'mrkdwn' ? mrkdwn(String(text), reading) : plain(String(text));
  return read.split('\n');
}

function parts(value: unknown): readonly Part[] {
  return Array.isArray(value) ? value : [];
}
