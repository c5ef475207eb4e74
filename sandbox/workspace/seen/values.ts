import type { Snapshot } from '../protocol.ts';
import { type Option, optionsOf, type Usable } from './usables.ts';

/** A file as somebody picks it from their disk. */
export interface GivenFile {
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** A person's entry for a field: text, the words of an option, several of them, or files. */
export type Said = string | GivenFile | readonly (string | GivenFile)[];

/** The chosen option is not offered. */
export class NoSuchOption extends Error {
  override readonly name = 'NoSuchOption';
}

export interface Around {
  readonly snapshot: Snapshot;
  /** The choices of an external select for a text. */
  readonly search: (query: string) => Promise<readonly Option[]>;
  /** Answers the ID of the uploaded file. */
  readonly upload: (file: GivenFile) => string;
}

/** The element-specific part of a state or action, such as `{ selected_option: {…} }`. Rejects with NoSuchOption or TypeError. */
export async function valueFor(
  usable: Usable,
  said: Said,
  around: Around,
): Promise<Readonly<Record<string, unknown>>> {
  const { type } = usable.element;
  const all = Array.isArray(said) ? (said as readonly (string | GivenFile)[]) : [said as string | GivenFile];
  if (type === 'file_input') {
    const files = all.map((file) => {
      if (typeof file === 'string') throw new TypeError(`${nameOf(usable)} takes a file, not a text.`);
      return { id: around.upload(file) };
    });
    return { files };
  }
  const texts = all.map((text) => {
    if (typeof text !== 'string') throw new TypeError(`${nameOf(usable)} takes no file.`);
    return text;
  });
  const choices = texts.filter((text) => text !== '');
  const [first = ''] = texts;
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
    case 'overflow':
    case 'external_select':
      return { selected_option: first === '' ? null : await optionFor(usable, first, around) };
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { selected_options: await Promise.all(choices.map((text) => optionFor(usable, text, around))) };
    case 'users_select':
      return { selected_user: personFor(usable, first, around) };
    case 'multi_users_select':
      return { selected_users: choices.map((name) => personFor(usable, name, around)) };
    case 'channels_select':
    case 'conversations_select':
      return { [`selected_${type.slice(0, -'s_select'.length)}`]: channelFor(usable, first, around) };
    case 'multi_channels_select':
    case 'multi_conversations_select':
      return {
        [`selected_${type.slice('multi_'.length, -'_select'.length)}`]: choices.map((name) =>
          channelFor(usable, name, around),
        ),
      };
    case 'datepicker':
      return { selected_date: written(usable, first, /^\d{4}-\d{2}-\d{2}$/, '2026-10-31') };
    case 'timepicker':
      return { selected_time: written(usable, first, /^\d{2}:\d{2}$/, '14:05') };
    case 'datetimepicker': {
      const at = written(usable, first, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/, '2026-10-31T14:05Z');
      return { selected_date_time: at === null ? null : Math.floor(Date.parse(at) / 1000) };
    }
    case 'rich_text_input':
      return { rich_text_value: richText(first) };
    default:
      return { value: first === '' ? null : first };
  }
}

/** The option of these words: exactly, by its value, or the only one that contains them. */
async function optionFor(usable: Usable, text: string, { search }: Around): Promise<Option> {
  const offered = usable.element.type.endsWith('external_select') ? await search(text) : optionsOf(usable);
  const labels = offered.map((option) => option.text.text);
  const exact =
    offered.find((option) => option.text.text === text) ?? offered.find(({ value }) => value === text);
  if (exact !== undefined) return exact;
  const near = offered.filter((option) => option.text.text.toLowerCase().includes(text.toLowerCase()));
  if (near.length === 1 && near[0] !== undefined) return near[0];
  const instead = labels.length === 0 ? 'nothing' : labels.map((label) => `"${label}"`).join(', ');
  throw new NoSuchOption(
    `${nameOf(usable)} offers ${near.length > 1 ? `several for "${text}"` : `no "${text}"`}. It offers ${instead}.`,
  );
}

function personFor(usable: Usable, name: string, { snapshot }: Around): string | null {
  return idFor(usable, name.replace(/^@/, ''), snapshot.people);
}

function channelFor(usable: Usable, name: string, { snapshot }: Around): string | null {
  return idFor(usable, name.replace(/^#/, ''), snapshot.channels);
}

function idFor(
  usable: Usable,
  name: string,
  known: readonly { readonly id: string; readonly name: string }[],
): string | null {
  if (name === '') return null;
  const found = known.find((one) => one.name === name || one.id === name);
  if (found === undefined) throw new NoSuchOption(`${nameOf(usable)} offers no "${name}".`);
  return found.id;
}

function written(usable: Usable, text: string, shape: RegExp, example: string): string | null {
  if (text === '') return null;
  if (!shape.test(text))
    throw new TypeError(`${nameOf(usable)} takes something like ${example}, not "${text}".`);
  return text;
}

function richText(text: string) {
  const elements = [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }];
  return text === '' ? null : { type: 'rich_text', elements };
}

function nameOf({ names, actionId }: Usable): string {
  return `"${names[0] ?? actionId}"`;
}
