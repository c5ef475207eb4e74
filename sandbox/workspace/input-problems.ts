import { fileLimits } from './files.ts';
import type { Block, ViewState } from './protocol.ts';
import { isEmpty } from './view-state.ts';

/**
 * Slack checks a form before the app hears of it. Problems by block_id: nothing in a required input, a text that is too
 * short or too long, a number that is none or outside of its bounds, more chosen than allowed.
 */
export function inputProblems(blocks: readonly Block[], state: ViewState): Record<string, string> {
  const problems = blocks.flatMap((block) => {
    if (block.type !== 'input') return [];
    // The schema has seen the element: an object with a type and an action_id.
    const element = block.element as Block;
    const entered = state[block.block_id ?? '']?.[String(element.action_id)];
    const problem = isEmpty(entered)
      ? block.optional === true
        ? undefined
        : 'Please complete this required field.'
      : valueProblem(element, entered as Readonly<Record<string, unknown>>);
    return problem === undefined ? [] : [[block.block_id ?? '', problem] as const];
  });
  return Object.fromEntries(problems);
}

function valueProblem(element: Block, entered: Readonly<Record<string, unknown>>): string | undefined {
  const { value } = entered;
  switch (element.type) {
    case 'plain_text_input':
      return lengthProblem(element, String(value));
    case 'number_input':
      return numberProblem(element, String(value).trim());
    case 'email_text_input':
      return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(String(value))
        ? undefined
        : 'Please enter a valid email address.';
    case 'url_text_input':
      return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(String(value)) ? undefined : 'Please enter a valid URL.';
    case 'file_input':
      return tooMany(entered.files, Number(element.max_files ?? 10), 'files') ?? tooLarge(entered.files);
    default:
      return tooMany(
        Object.values(entered).find(Array.isArray),
        Number(element.max_selected_items ?? Number.POSITIVE_INFINITY),
        'items',
      );
  }
}

function lengthProblem({ min_length, max_length }: Block, text: string): string | undefined {
  if (text.length < Number(min_length ?? 0)) return `Please enter at least ${min_length} characters.`;
  const most = Number(max_length ?? 3000);
  return text.length > most ? `Please enter at most ${most} characters.` : undefined;
}

function numberProblem(element: Block, text: string): string | undefined {
  const { is_decimal_allowed: decimals, min_value, max_value } = element;
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(text)) return 'Please enter a valid number.';
  if (decimals !== true && text.includes('.')) return 'Please enter a whole number.';
  if (min_value !== undefined && Number(text) < Number(min_value))
    return `Please enter ${min_value} or more.`;
  if (max_value !== undefined && Number(text) > Number(max_value))
    return `Please enter ${max_value} or less.`;
  return undefined;
}

function tooMany(chosen: unknown, most: number, what: string): string | undefined {
  return Array.isArray(chosen) && chosen.length > most ? `Please choose at most ${most} ${what}.` : undefined;
}

function tooLarge(files: unknown): string | undefined {
  // withFiles wrote them, whole file objects.
  const sizes = (files as readonly { readonly size: number }[]).map(({ size }) => size);
  const most = fileLimits.inForm;
  return sizes.some((size) => size > most)
    ? `Please choose files of at most ${most / 1024 ** 2} MB.`
    : undefined;
}
