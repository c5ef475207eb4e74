import type { ChangeEvent, KeyboardEvent } from 'react';
import { valueField } from './elements.ts';
import { useSurface } from './surface.tsx';
import { words } from './Text.tsx';
import type { UsableProps } from './usable.ts';

const inputTypes: Readonly<Record<string, string>> = {
  plain_text_input: 'text',
  email_text_input: 'email',
  url_text_input: 'url',
  // A text box with a numeric keyboard: the app checks the number, and must see invalid ones.
  number_input: 'text',
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
};

const two = (part: number) => String(part).padStart(2, '0');

/** datetimepickers count seconds since 1970, the browser's field writes local time. */
function toLocal(seconds: unknown): string {
  if (typeof seconds !== 'number') return '';
  const date = new Date(seconds * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Everything that is typed: texts, numbers, dates and times. */
export function Field({ blockId, element, labelled }: UsableProps) {
  const surface = useSurface();
  const field = valueField(element.type) ?? 'value';
  const picksTime = element.type === 'datetimepicker';
  const picks = picksTime || element.type === 'datepicker' || element.type === 'timepicker';
  const value = surface.read(blockId, element)[field];
  const shown = picksTime ? toLocal(value) : String(value ?? '');
  const sends = !labelled || labelled.dispatch;

  const change = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const typed = event.target.value;
    const next = { [field]: picksTime && typed ? Math.floor(Date.parse(typed) / 1000) : typed || null };
    const onEach = element.dispatch_action_config?.trigger_actions_on?.includes('on_character_entered');
    if (sends && (picks || onEach)) void surface.use(blockId, element, next);
    else surface.keep(blockId, element, next);
  };
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !sends || picks || element.multiline) return;
    event.preventDefault();
    void surface.use(blockId, element, { [field]: shown || null });
  };

  const shared = {
    id: labelled?.id,
    className: `field field-${element.type}`,
    value: shown,
    onChange: change,
    onKeyDown: enter,
    'aria-label': labelled ? undefined : words(element.placeholder) || element.type.replaceAll('_', ' '),
    'aria-describedby': labelled?.describedBy,
    'aria-invalid': labelled?.invalid || undefined,
    'aria-required': labelled?.required || undefined,
    autoFocus: element.focus_on_load,
    maxLength: element.max_length,
    placeholder: words(element.placeholder) || undefined,
    autoComplete: 'off',
  };
  return element.multiline ? (
    <textarea {...shared} rows={4} />
  ) : (
    <input
      {...shared}
      type={inputTypes[element.type] ?? 'text'}
      inputMode={element.type === 'number_input' ? 'decimal' : undefined}
    />
  );
}
