import type { StepParameter } from '../../functions/step.ts';

/** The inputs of a step from its fields; empty fields are left out. Invalid JSON stays text. */
export function inputsOf(
  parameters: readonly StepParameter[],
  entered: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const filled = parameters.flatMap(({ name, type }) => {
    const text = entered[name] ?? '';
    return text === '' ? [] : [[name, readValue(type, text)] as const];
  });
  return Object.fromEntries(filled);
}

const textTypes: ReadonlySet<string> = new Set(['string', 'slack#/types/message_ts', 'slack#/types/date']);

function readValue(type: string, text: string): unknown {
  if (textTypes.has(type) || type.endsWith('_id')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
