import { nameOf } from '../../src/handlers/command-name.ts';
import { commands } from '../../src/handlers/registry.ts';
import type { Line } from './lines.ts';

/** An offered command, or one that ran: its name, and its line as far as it is known. */
export interface Shown {
  readonly name: string;
  readonly line: string;
}

const names = commands.map(nameOf).toSorted((one, other) => other.length - one.length);

/** The command of a line of ours, which begins with its name. */
export const commandIn = (line: string): string | undefined =>
  names.find((name) => line === name || line.startsWith(`${name} `));

const turnsOn =
  /\b(?:enable|add|create|link|connect|start|install|grant|keep|extend|continue|unlock)\b(?! from)/;
const turnsOff =
  /\b(?:disable|delete|unlink|disconnect|stop|uninstall|revoke|remove|over|end|cancel|unwatch|withdraw)\b/;

/** The lists of the company from which a site cannot be reached, and those that are there to let it through. */
const closedLists = /\b(?:malware|phishing|personal_blocked|188|213|208|banned_addresses|40)\b/;
const openLists = /\b(?:personal_allowed|207|unlimited_users|30)\b/;

/** Whether a line allows a site or denies it; undefined where the line does not decide it. */
function siteWay({ name, line }: Shown): 'allow' | 'deny' | undefined {
  if (name === 'ask' || /^(?:Allow|Ask for the site)/.test(line)) return 'allow';
  if (/^(?:category|acl record) (?:delete|disable)$/.test(name))
    return openLists.test(line) ? 'deny' : 'allow';
  if (/^(?:category (?:add|move)|acl record (?:add|enable))$/.test(name)) {
    const to = line.split(' to ').at(-1) ?? line;
    return closedLists.test(to) ? 'deny' : openLists.test(to) ? 'allow' : undefined;
  }
  return undefined;
}

function switchWay({ name, line }: Shown): 'on' | 'off' | undefined {
  if (name === 'ask' || /^(?:Allow|Ask for the site)/.test(line)) return 'on';
  return turnsOff.test(name) ? 'off' : turnsOn.test(name) ? 'on' : undefined;
}

const opposites = { allow: 'deny', deny: 'allow', on: 'off', off: 'on' } as const;

/** Whether this is against what the line means. */
export function isOpposite({ polarity, never }: Line, shown: Shown): boolean {
  if (never.includes(shown.name)) return true;
  if (polarity === undefined) return false;
  const way = polarity === 'allow' || polarity === 'deny' ? siteWay(shown) : switchWay(shown);
  return way === opposites[polarity];
}
