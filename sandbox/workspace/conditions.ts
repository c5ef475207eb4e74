import type { Switch } from '../appliance/protocol.ts';
import type { InstalledApp } from './manifest.ts';
import { Refusal, refuseWith } from './refusal.ts';

type Condition = Omit<Switch, 'name' | 'value'>;

/** Conditions of every call, until somebody changes them. A workspace starts with the first value. */
const switches = {
  plan: {
    label: 'Plan',
    says: 'User groups exist on paid plans only: on a free one, Slack refuses usergroups.*.',
    values: { paid: 'Paid', free: 'Free' },
  },
  botToken: {
    label: 'Bot token',
    says: 'Revoked: token_revoked. App removed: account_inactive.',
    values: { valid: 'Valid', revoked: 'Revoked', removed: 'App removed' },
  },
  appToken: {
    label: 'App-level token',
    says: 'Revoked: the app can open no connection. Those that are open stay open.',
    values: { valid: 'Valid', revoked: 'Revoked' },
  },
  blocks: {
    label: 'Blocks',
    says: 'Not every workspace has charts and tables yet: it refuses messages and forms that hold them.',
    values: { all: 'All', classic: 'No charts, no tables' },
  },
} as const satisfies Readonly<Record<string, Condition>>;

type SwitchName = keyof typeof switches;

const tokenErrors: Readonly<Record<string, string>> = {
  revoked: 'token_revoked',
  removed: 'account_inactive',
};
const newerBlocks: ReadonlySet<unknown> = new Set(['data_visualization', 'data_table', 'table']);

/** How the workspace treats the app: its plan, the tokens that hold, the scopes it has, the blocks it can show. */
export class Conditions {
  readonly #granted: ReadonlySet<string>;
  readonly #withheld = new Set<string>();
  readonly #values = new Map<SwitchName, string>();

  readonly #changed: () => void;

  /** Calls `changed` after every change. */
  constructor({ scopes }: Pick<InstalledApp, 'scopes'>, changed: () => void) {
    this.#granted = scopes;
    this.#changed = changed;
  }

  /** The scopes of the bot token. */
  get scopes(): ReadonlySet<string> {
    return this.#granted.difference(this.#withheld);
  }

  /** Every scope of the manifest, and whether the app has it. */
  allScopes(): Readonly<Record<string, boolean>> {
    return Object.fromEntries(Array.from(this.#granted, (scope) => [scope, !this.#withheld.has(scope)]));
  }

  switches(): readonly Switch[] {
    return namesOf(switches).map((name) => ({ name, ...switches[name], value: this.#value(name) }));
  }

  /** Turns switches, by name. @throws RangeError for a switch or a value that there is not */
  turn(values: Readonly<Record<string, string>>): void {
    const turned = Object.entries(values).map(([name, value]) => [readSwitch(name, value), value] as const);
    for (const [name, value] of turned) this.#values.set(name, value);
    this.#changed();
  }

  /** Takes a scope of the manifest away from the app, or gives it back. @throws RangeError for any other */
  grant(scope: string, isGranted: boolean): void {
    if (!this.#granted.has(scope)) throw new RangeError(`The manifest has no scope ${scope}.`);
    if (isGranted) this.#withheld.delete(scope);
    else this.#withheld.add(scope);
    this.#changed();
  }

  reset(): void {
    this.#withheld.clear();
    this.#values.clear();
    this.#changed();
  }

  /** Refuses what such a workspace refuses. @throws Refusal */
  check(method: string, token: 'bot' | 'app' | 'none', args: Readonly<Record<string, unknown>>): void {
    const error = token === 'none' ? undefined : tokenErrors[this.#value(`${token}Token`)];
    if (error !== undefined) throw new Refusal(error);
    if (this.#value('plan') === 'free' && method.startsWith('usergroups.'))
      throw new Refusal('plan_upgrade_required');
    if (this.#value('blocks') === 'classic') refuseNewerBlocks(args);
  }

  #value(name: SwitchName): string {
    return this.#values.get(name) ?? Object.keys(switches[name].values)[0] ?? '';
  }
}

/** `Object.keys` knows no names. */
const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[];

function readSwitch(name: string, value: string): SwitchName {
  const known = namesOf(switches).find((one) => one === name);
  if (known === undefined)
    throw new RangeError(`There is no switch ${name}; there are ${namesOf(switches).join(', ')}.`);
  const values = Object.keys(switches[known].values);
  if (!values.includes(value)) throw new RangeError(`${name} is one of ${values.join(', ')}.`);
  return known;
}

function refuseNewerBlocks({ blocks, view }: Readonly<Record<string, unknown>>): void {
  const shown = { blocks: parsed(blocks), view: parsed(view) };
  for (const [at, list] of [
    ['/blocks', shown.blocks],
    ['/view/blocks', fieldOf(shown.view, 'blocks')],
  ] as const) {
    if (!Array.isArray(list)) continue;
    const problems = list.flatMap((block, index) => {
      const type = fieldOf(block, 'type');
      return newerBlocks.has(type) ? [`unsupported type: ${type} [json-pointer:${at}/${index}/type]`] : [];
    });
    if (problems.length > 0)
      throw refuseWith(at === '/blocks' ? 'invalid_blocks' : 'invalid_arguments', problems);
  }
}

function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
