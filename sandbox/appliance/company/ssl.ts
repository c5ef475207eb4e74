/** A rule that says whose encrypted traffic is decoded (appliance-api.md §2.4). */
export interface SimulatedSslRule {
  readonly id: number;
  readonly description: string;
  /** False: its traffic is not touched. */
  readonly decode: boolean;
  readonly order: number;
  readonly enabled: boolean;
  readonly objects: readonly SslRuleObject[];
}

interface SslRuleObject {
  /** The ID of an ACL object; one that was deleted is not there any more. */
  readonly objectId: number;
  /** Everything but what the object matches. */
  readonly negated: boolean;
  readonly params: string;
}

export interface SslState {
  /** As set in the web console, in any order; there is no call that changes a rule. */
  configured: SimulatedSslRule[];
  /** The rules in force in the proxy: the enabled ones in their order, as of the last build. */
  live: SimulatedSslRule[];
}

type Known = [id: number, description: string, decode: boolean, enabled: boolean, objects: number[]];

/** A negative number: the object, negated. */
const known: readonly Known[] = [
  [1, 'Banks stay private', false, true, [12]],
  [2, 'Health stays private', false, true, [13]],
  [4, 'Applications that accept only their own certificate', false, true, [4, 18]],
  [5, 'Microsoft 365 is not decoded', false, true, [6, 7]],
  [7, 'Updates are not decoded', false, true, [9, 10]],
  [9, 'Google for everybody but guests', true, true, [3, -24]],
  [10, 'Old pilot of social media', true, false, [43]],
  [12, 'Decode the offices', true, true, [21]],
];

/** Somebody added the last rule in the web console, to go before the offices, and did not build it yet. */
const unbuilt: Known = [14, 'Calls are not decoded', false, true, [15]];

export function sslOfTheCompany(_now: Date): SslState {
  const rules = known.map((rule, index) => ruleOf(rule, 10 * (index + 1)));
  return {
    configured: [...rules, ruleOf(unbuilt, 75)],
    live: rules.filter(({ enabled }) => enabled),
  };
}

function ruleOf([id, description, decode, enabled, objects]: Known, order: number): SimulatedSslRule {
  return {
    id,
    description,
    decode,
    order,
    enabled,
    objects: objects.map((number) => ({ objectId: Math.abs(number), negated: number < 0, params: '' })),
  };
}
