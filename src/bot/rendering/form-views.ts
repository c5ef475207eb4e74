import type {
  InputBlock,
  KnownBlock,
  ModalView,
  PlainTextElement,
  PlainTextOption,
  SectionBlock,
} from '@slack/types';
import {
  type Choosable,
  type Entered,
  type Form,
  type Input,
  longestEntered,
  mostChoices,
} from '../../action/base/form.ts';
import { cut, shortened } from '../../graphemes.ts';
import type { Text } from '../../handlers/reply.ts';
import { cutMrkdwn, mrkdwn, plainLabel, plainSpan } from './slack-text.ts';

/**
 * A form as a modal, and back. The modal carries only an opaque token; its inputs are named after their slots
 * (slack-facts.md §2 for the limits).
 */
export const formCallback = 'command_form';
export const anyInput = /^input:/;
const prefix = 'input:';

const limits = {
  title: 24,
  placeholder: 150,
  option: 75,
  /** Characters of an input; and of the text above or below it. */
  text: longestEntered,
  label: 2_000,
  options: mostChoices,
} as const;

export function formView(form: Form): ModalView {
  const first = form.inputs.find(({ optional, kind }) => !optional && isEmpty(kind));
  return {
    type: 'modal',
    callback_id: formCallback,
    private_metadata: form.token,
    title: plain(form.title, limits.title),
    submit: plain(form.submit, limits.title),
    close: plain('Cancel', limits.title),
    blocks: [
      section(form.explanation),
      ...form.inputs.map((input): InputBlock => inputBlock(input, input === first)),
    ],
  };
}

export function overView(why: Text): ModalView {
  return {
    type: 'modal',
    title: plain('Not sent', limits.title),
    close: plain('Close', limits.title),
    blocks: [section(why)],
  };
}

/** Slack shows these under the inputs. */
export function errorsOf(problems: Readonly<Record<string, Text>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problems).map(([name, text]) => [prefix + name, shortened(said(text), limits.label)]),
  );
}

/** The options of a picker in Slack's shape: a list, or groups. Slack refuses an empty group. */
export function offeredBy(
  found: readonly Choosable[],
):
  | { options: PlainTextOption[] }
  | { option_groups: { label: PlainTextElement; options: PlainTextOption[] }[] } {
  const shown = found.slice(0, limits.options);
  const groups = Map.groupBy(shown, ({ group }) => group);
  if (shown.every(({ group }) => group === undefined)) return { options: shown.map(option) };
  return {
    option_groups: Array.from(groups, ([group = '', choices]) => ({
      label: plain(group, limits.option),
      options: choices.map(option),
    })),
  };
}

export const inputName = (actionId: string): string => actionId.slice(prefix.length);

/** The used parts of `view.state.values`. */
export interface Value {
  readonly type: string;
  readonly value?: string | null;
  readonly selected_option?: { readonly value?: string } | null;
  readonly selected_options?: readonly { readonly value?: string }[] | null;
  readonly files?: readonly { readonly id: string; readonly name: string; readonly size?: number }[] | null;
}

/** The values of a form from Slack. */
export function enteredIn(
  values: Readonly<Record<string, Readonly<Record<string, Value>>>> | undefined,
): Entered {
  const words: Record<string, readonly string[]> = {};
  const files: Record<string, Entered['files'][string]> = {};
  for (const [actionId, value] of Object.values(values ?? {}).flatMap((block) => Object.entries(block))) {
    if (!anyInput.test(actionId)) continue;
    const name = inputName(actionId);
    const [file] = value.files ?? [];
    const found = wordsOf(value);
    if (file !== undefined) files[name] = { id: file.id, name: file.name, size: file.size ?? 0 };
    if (found.length > 0) words[name] = found;
  }
  return { words, files };
}

function wordsOf({ type, value, selected_option, selected_options }: Value): readonly string[] {
  if (type === 'checkboxes') return (selected_options ?? []).length > 0 ? [''] : [];
  if (typeof value === 'string') return value === '' ? [] : [value];
  const options = selected_option == null ? (selected_options ?? []) : [selected_option];
  return options.flatMap((one) => one.value ?? []);
}

function inputBlock({ name, label, hint, optional, kind }: Input, isFirst: boolean): InputBlock {
  return {
    type: 'input',
    block_id: prefix + name,
    label: plain(label, limits.label),
    optional,
    element: elementFor(kind, prefix + name, isFirst),
    ...(hint === undefined ? {} : { hint: plain(hint, limits.label) }),
  };
}

function elementFor(kind: Input['kind'], actionId: string, isFirst: boolean): InputBlock['element'] {
  const common = { action_id: actionId, ...(isFirst ? { focus_on_load: true } : {}) };
  switch (kind.is) {
    case 'line':
    case 'paragraph':
      return {
        type: 'plain_text_input',
        ...common,
        multiline: kind.is === 'paragraph',
        ...(kind.initial === undefined ? {} : { initial_value: cut(kind.initial, limits.text) }),
      };
    case 'secret':
      return { type: 'plain_text_input', ...common };
    case 'choice':
      return {
        type: 'static_select',
        ...common,
        options: kind.among.slice(0, limits.options).map(wordOption),
        ...(kind.initial === undefined ? {} : { initial_option: wordOption(kind.initial) }),
      };
    case 'search': {
      const search = {
        ...common,
        min_query_length: 0,
        placeholder: plain(kind.placeholder ?? 'Search by name or number', limits.placeholder),
      };
      // An empty or too long value is no valid option, so it is asked again.
      const initial = kind.initial
        .filter(({ word }) => word !== '' && word.length <= limits.option)
        .map(option);
      const [only] = initial;
      return kind.several
        ? {
            type: 'multi_external_select',
            ...search,
            ...(only === undefined ? {} : { initial_options: initial }),
          }
        : { type: 'external_select', ...search, ...(only === undefined ? {} : { initial_option: only }) };
    }
    case 'flag': {
      const tick = option({ word: 'yes', label: kind.text });
      return {
        type: 'checkboxes',
        action_id: actionId,
        options: [tick],
        ...(kind.initial ? { initial_options: [tick] } : {}),
      };
    }
    case 'file':
      return {
        type: 'file_input',
        action_id: actionId,
        max_files: 1,
        ...filetypes(kind.endings),
      };
  }
}

/** Slack expects them without their dot. */
function filetypes(endings: readonly string[]): { filetypes?: string[] } {
  return endings.length === 0 ? {} : { filetypes: endings.map((ending) => ending.replace(/^\./, '')) };
}

function isEmpty(kind: Input['kind']): boolean {
  if (kind.is === 'search') return kind.initial.length === 0;
  return kind.is !== 'flag' && kind.is !== 'file' && !('initial' in kind);
}

const wordOption = (word: string): PlainTextOption => option({ word, label: word });

/** The label may come from an appliance. Plain text has no formatting, and control characters become visible. */
const option = ({ word, label }: Choosable): PlainTextOption => ({
  text: plain(label, limits.option),
  value: word,
});

const section = (text: Text): SectionBlock & KnownBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: cutMrkdwn(mrkdwn(text), limits.text), verbatim: true },
});

const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: plainLabel(text, most),
  emoji: false,
});

const said = (text: Text): string => text.map(plainSpan).join('');
