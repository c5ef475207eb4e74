import { blockLines } from '../plain/blocks.ts';
import { readingOf } from '../plain/reading.ts';
import type { OpenView, Snapshot } from '../protocol.ts';
import { flatOptions, optionsOf, type Usable, usablesOf, words } from './usables.ts';

/** A modal as a person reads it. */
export interface Form {
  readonly title: string;
  /** Text beside the fields, in plain words. */
  readonly text: string;
  readonly fields: readonly FormField[];
  /** Errors by the label of the field. */
  readonly errors: Readonly<Record<string, string>>;
  /** The text of the button that submits it; undefined when there is none. */
  readonly submit: string | undefined;
}

interface FormField {
  readonly label: string;
  /** The element's type in Block Kit, such as `external_select`. */
  readonly kind: string;
  /** Texts and choices in words, files by their names; a list where several can be chosen, else '' for nothing. */
  readonly value: string | readonly string[];
  readonly hint: string | undefined;
  readonly isOptional: boolean;
  /** The choices; absent for free text, and for a field that only a search fills. */
  readonly options?: readonly string[];
}

/** The modal on top; undefined when none is open. */
export function formIn(snapshot: Snapshot): Form | undefined {
  const open = snapshot.views.at(-1);
  if (open === undefined) return undefined;
  const fields = fieldsOf(open);
  const labels = new Map(fields.map(({ blockId, names }) => [blockId, names[0] ?? blockId]));
  const errors = Object.entries(open.errors).map(([block, text]) => [labels.get(block) ?? block, text]);
  const beside = open.view.blocks.filter(({ type }) => type !== 'input');
  return {
    title: words(open.view.title) ?? '',
    text: blockLines(beside, readingOf(snapshot)).join('\n'),
    fields: fields.map((field) => show(field, open, snapshot)),
    errors: Object.fromEntries(errors),
    submit: words(open.view.submit),
  };
}

/** Elements of a modal that hold a value: everything but buttons and menus of actions. */
export function fieldsOf({ view }: OpenView): Usable[] {
  return usablesOf(view.blocks).filter(({ element }) => !pressed.has(element.type));
}

const pressed = new Set(['button', 'workflow_button', 'icon_button', 'feedback_buttons', 'overflow']);

function show(field: Usable, open: OpenView, snapshot: Snapshot): FormField {
  const options = optionsOf(field).map(({ text }) => text.text);
  return {
    label: field.names[0] ?? field.actionId,
    kind: field.element.type,
    value: valueIn(open.state[field.blockId]?.[field.actionId], snapshot),
    hint: field.hint,
    isOptional: field.isOptional,
    ...(options.length === 0 ? {} : { options }),
  };
}

/** An element's state in words, whatever field holds it. */
function valueIn(state: unknown, snapshot: Snapshot): string | readonly string[] {
  const { type: _, ...rest } = (state ?? {}) as Readonly<Record<string, unknown>>;
  const [value] = Object.values(rest);
  return Array.isArray(value) ? value.map((one) => inWords(one, snapshot)) : inWords(value, snapshot);
}

function inWords(value: unknown, snapshot: Snapshot): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') {
    const known = [...snapshot.people, ...snapshot.channels].find(({ id }) => id === value);
    return known?.name ?? String(value);
  }
  if ('name' in value) return String(value.name);
  // The only other objects in a state are options and rich text.
  if ('elements' in value)
    return blockLines([{ ...value, type: 'rich_text' }], readingOf(snapshot)).join('\n');
  return flatOptions([value])[0]?.text.text ?? '';
}
