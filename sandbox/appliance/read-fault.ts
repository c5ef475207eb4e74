import { type Fault, type FaultKind, type Kind, kinds, type NumberOption, type TextOption } from './kinds.ts';

/** The request to the simulator makes no sense; the message says why, in one sentence for people. */
export class NotUnderstood extends RangeError {
  override readonly name = 'NotUnderstood';
}

/** How a fault may be limited, beside the options of its kind. */
const times: NumberOption = { type: 'number', label: 'Requests', default: 1, from: 1, to: 1_000_000 };

/** Reads a fault that comes from outside, such as `{ kind: 'slow', ms: 200 }`. @throws NotUnderstood */
export function readFault(given: unknown): Fault {
  if (!isRecord(given)) throw new NotUnderstood('A misbehaviour is a JSON object, such as {"kind":"slow"}.');
  const { kind: name, ...rest } = given;
  if (!isKind(name))
    throw new NotUnderstood(`${JSON.stringify(name) ?? 'Nothing'} is no kind; there are ${list(kinds)}.`);
  const kind: Kind = kinds[name];
  const options: Kind['options'] = { ...kind.options, times };
  for (const [option, value] of Object.entries(rest)) {
    if (option === 'happens' && kind.happens !== 'never') {
      if (typeof value !== 'boolean') throw new NotUnderstood('happens is true or false.');
      continue;
    }
    const rule = Object.hasOwn(options, option) ? options[option] : undefined;
    if (rule === undefined) {
      const known = { ...options, ...(kind.happens !== 'never' && { happens: true }) };
      throw new NotUnderstood(`${name} has no ${option}; it takes ${list(known)}.`);
    }
    check(option, rule, value);
  }
  // Checked, field by field, against the table that the type is made of.
  return given as Fault;
}

function check(option: string, rule: NumberOption | TextOption, value: unknown): void {
  if (rule.type === 'text') {
    if (typeof value !== 'string') throw new NotUnderstood(`${option} is a text.`);
  } else if (!Number.isInteger(value) || Number(value) < rule.from || Number(value) > rule.to) {
    throw new NotUnderstood(`${option} is a whole number from ${rule.from} to ${rule.to}.`);
  }
}

function isKind(name: unknown): name is FaultKind {
  return typeof name === 'string' && Object.hasOwn(kinds, name);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const list = (named: object) => Object.keys(named).join(', ');
