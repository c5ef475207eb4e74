import {
  fieldFaults,
  type Kind,
  kinds,
  type NumberOption,
  type TextOption,
} from '../../sandbox/appliance/kinds.ts';
import { operations } from '../../sandbox/appliance/services.ts';
import { companyState } from '../../sandbox/appliance/state.ts';
import { switchesIn } from '../../sandbox/appliance/switches.ts';
import { typesOf } from './types.ts';

/**
 * The types of the package. Those that the compiler makes of a table tell no reader what stands in it: here each kind of fault
 * and each switch says what it does, and an operation is one of those that there are.
 */
export function simulatedApplianceTypes(): string {
  return typesOf('packages/simulated-appliance/src/index.ts', {
    OperationName: operationName(),
    FaultKind: `/** A way to misbehave. */\nexport type FaultKind = ${Object.keys(kinds).map(quoted).join(' | ')};`,
    Fault: fault(),
    Switches: switches(),
    fieldFaults: named(),
  });
}

function operationName(): string {
  const names = operations.map(({ name }) => `  | ${quoted(name)}`);
  return `/** Method, or \`-\` where any will do, and path, with slots in braces. */\nexport type OperationName =\n${names.join('\n')};`;
}

function fault(): string {
  const members = Object.entries<Kind>(kinds).map(([name, kind]) => {
    const { says, happens, options, only } = kind;
    const where = only === undefined ? '' : ` Only of \`${only.join('` and `')}\`.`;
    const done = happens === true ? 'carried out' : 'not carried out';
    return [
      '  | {',
      `      /** ${says} The order is ${done}.${where} */`,
      `      readonly kind: ${quoted(name)};`,
      ...Object.entries(options).flatMap(([option, about]) => optionLines(option, about)),
      '      /** For how many requests. Default: until it is cleared. */',
      '      readonly times?: number;',
      ...(happens === 'never'
        ? []
        : [
            `      /** Whether the order is carried out. Default: ${happens}. */`,
            '      readonly happens?: boolean;',
          ]),
      '    }',
    ].join('\n');
  });
  return `/** A way to misbehave, with its options: \`{ kind: 'slow', ms: 200, times: 1 }\`. */\nexport type Fault =\n${members.join('\n')};`;
}

function optionLines(name: string, option: NumberOption | TextOption): readonly string[] {
  const from =
    option.type === 'number'
      ? `${option.label}, from ${option.from.toLocaleString('en')} to ${option.to.toLocaleString('en')}. Default: ${option.default.toLocaleString('en')}.`
      : `${option.label}. Default: ${option.default === '' ? 'none' : `\`${option.default}\``}.`;
  return [
    `      /** ${from} */`,
    `      readonly ${name}?: ${option.type === 'number' ? 'number' : 'string'};`,
  ];
}

function switches(): string {
  const lines = switchesIn(companyState(new Date(0))).flatMap(({ name, label, says, values }) => {
    const called = Object.entries(values).map(([value, words]) => `\`${value}\`: ${words}`);
    return [
      `  /** ${label}. ${says} ${called.join('; ')}. The first is the default. */`,
      `  readonly ${name}: ${Object.keys(values).map(quoted).join(' | ')};`,
    ];
  });
  return `/** The ways of a whole appliance, and how each can stand. */\nexport interface Switches {\n${lines.join('\n')}\n}`;
}

function named(): string {
  const lines = Object.entries(fieldFaults).map(
    ([name, one]) =>
      `  /** \`${JSON.stringify(one)}\` */\n  readonly ${/^\w+$/.test(name) ? name : quoted(name)}: Fault;`,
  );
  return `/** How one call fails in the field; for tests that try each. */\nexport declare const fieldFaults: {\n${lines.join('\n')}\n};`;
}

const quoted = (text: string) => `'${text}'`;
