import { everyAppliance, type Fleet, targetsOf } from '../../auth/targets.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import type { Target } from '../stored.ts';
import type { Appliances, AskedFor, Authority } from './authority.ts';

interface Here {
  readonly authority: Pick<Authority, 'channel'>;
  readonly fleet: Fleet;
}

/**
 * Of which appliances something is asked in a channel. `any` where that cannot be told: the channel is not served, or
 * nothing has the name that was typed.
 */
export function askedOf(
  { command, on }: Pick<Asked, 'command' | 'on'>,
  channel: string,
  { authority, fleet }: Here,
): Appliances {
  if (command.kind === 'info') return command.tellsOfAppliances ? (namedIn(on, fleet) ?? 'every') : 'none';
  const policy = authority.channel(channel);
  const targets = policy && targetsOf(on, policy, fleet, channel);
  return targets?.ok ? targets.names : 'any';
}

/** The same as it is wanted before its arguments are known. */
export const wantedWith = (asked: Pick<Asked, 'command' | 'on'>, channel: string, here: Here): AskedFor => ({
  command: asked.command,
  args: 'any',
  appliances: askedOf(asked, channel, here),
});

/**
 * Those that `--on` names for what only tells of them, also where the channel may not name them or they are gone by now:
 * nothing is done to them. Undefined where all are meant.
 */
export function namedIn(on: string | undefined, fleet: Fleet): readonly string[] | undefined {
  const parts =
    on
      ?.toLowerCase()
      .split(/[\s,]+/)
      .filter((part) => part !== '') ?? [];
  if (parts.length === 0 || parts.includes(everyAppliance)) return undefined;
  return parts.flatMap((part) => {
    const tagged = [...fleet].filter(([, { tags }]) => tags.some((tag) => part === `tag:${tag}`));
    return tagged.length === 0 ? [part] : tagged.map(([name]) => name);
  });
}

/** No appliance can have such a name. */
const every = '*';
const none = '';

/** How it is kept, for each, of what something is asked that is about no single appliance. */
export function targetsOfInfo(appliances: Appliances): readonly string[] {
  if (typeof appliances !== 'string') return appliances;
  return [appliances === 'every' ? every : none];
}

/** The same where the answer tells of others, too: whoever takes it away may be told of all of them. */
export function tellingOf(targets: readonly Target[], told: readonly string[]): readonly Target[] {
  const [first] = targets;
  if (first === undefined) return targets;
  const others = told.filter((name) => targets.every(({ appliance }) => appliance !== name));
  return [...targets, ...others.map((appliance) => ({ ...first, appliance }))];
}

/** What is asked for with a target that was kept. */
export const askedOn = (
  command: AskedFor['command'],
  { appliance, args }: Pick<Target, 'appliance' | 'args'>,
): AskedFor => ({
  command,
  // For this very command, and read by it (`stored.ts`).
  args: args as Exclude<AskedFor['args'], string>,
  appliances: appliance === every ? 'every' : appliance === none ? 'none' : [appliance],
});
