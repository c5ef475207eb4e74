import type { Guide, GuideEntry } from '../command.ts';
import { areaOf } from '../command-name.ts';
import { code, enumerate, type Part, paragraph, plural, say, strong, type Text } from '../reply.ts';
import { type CommandGroup, groupsOf } from './nouns.ts';

/** More lines than this are told by what they are about. */
const mostLines = 12;

/** What can be run here, and what takes another role: at most a screen. */
export function standing(entries: readonly GuideEntry[], guide: Guide): Part[] {
  const allowed = entries.filter((entry) => entry.allowed);
  const others = guide.served ? entries.filter((entry) => !entry.allowed) : [];
  return [
    ...(allowed.length === 0 ? [] : [listOf(allowed, guide)]),
    ...(others.length === 0 ? [] : requiring(others, guide)),
  ];
}

function listOf(entries: readonly GuideEntry[], guide: Guide): Part {
  const groups = entries.length > mostLines ? groupsOf(entries, guide.commands) : [];
  return { kind: 'list', items: groups.length > 1 ? groups.map(groupLine) : inOrder(entries).map(usage) };
}

function requiring(entries: readonly GuideEntry[], guide: Guide): readonly Part[] {
  const groups = entries.length > mostLines ? groupsOf(entries, guide.commands) : [];
  return groups.length > 1
    ? [
        paragraph`Requires another role: ${enumerate(groups.map(({ name }) => code(name)))}. ${code('/appliance help')} followed by one of these shows which.`,
      ]
    : [paragraph`Requires another role:`, { kind: 'list', items: inOrder(entries).map(requirement) }];
}

/** With an example, where the phrase itself is none. */
const usage = ({ command: listed }: GuideEntry): Text =>
  listed.example === listed.phrase
    ? say`${code(`/appliance ${listed.phrase}`)} – ${listed.summary}`
    : say`${code(`/appliance ${listed.phrase}`)} – ${listed.summary}: ${code(listed.example)}`;

const requirement = ({ command: listed, roles }: GuideEntry): Text =>
  roles.length === 0
    ? say`${code(listed.phrase)} is not available in this channel`
    : say`${code(listed.phrase)} requires the ${enumerate(roles.map(strong), 'or')} role`;

/** Related ones stand together. */
function inOrder(entries: readonly GuideEntry[]): readonly GuideEntry[] {
  return entries.toSorted((one, other) => areaOf(one.command).localeCompare(areaOf(other.command)));
}

/** *`/appliance help vlan` – 12 commands, such as `vlan list`*; a command alone as itself. */
function groupLine({ name, entries }: CommandGroup<GuideEntry>): Text {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return usage(first);
  return say`${code(`/appliance help ${name}`)} – ${plural(entries.length, 'command')}, such as ${code(first?.command.example ?? '')}`;
}
