import type { Appliance } from '../../api/index.ts';
import type { Members } from '../../auth/members.ts';
import { allowedIn, applianceIn, type Fleet } from '../../auth/targets.ts';
import type { Argument } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { type KnownThings, nothingKnown } from '../../handlers/understanding/things.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import type { MayRun } from '../wording/misread/not-understood.ts';

type List = NonNullable<Argument['list']>;

/** What is there to be spoken of in a channel, for a line that is no command. */
export interface Things {
  /**
   * The names of the channel's appliance as it listed them in the last minutes, of what whoever asks may name. Waits for
   * it a moment where it was not asked lately. Never rejects.
   */
  readonly known: (channel: string, may: MayRun) => Promise<KnownThings>;
}

/** How long names are remembered, and how long a line waits for them, in milliseconds. */
const remembered = 5 * 60_000;
const timeout = 800;

interface Remembered {
  readonly names: Map<List, ReadonlySet<string>>;
  readonly asking: Promise<unknown>;
  readonly until: number;
}

export interface ThingsParts extends Pick<Parts, 'authority' | 'appliances' | 'fleet' | 'now'> {
  readonly members: Pick<Members, 'names'>;
  readonly commands: readonly AnyCommand[];
  readonly after: After;
}

export function createThings(parts: ThingsParts): Things {
  const { authority, appliances, fleet, members, commands, now, after } = parts;
  const lists = new Map<List, readonly AnyCommand[]>();
  const users = new Set<List>();
  for (const command of commands) {
    for (const { list, isCostly, isUser } of Object.values(command.args)) {
      if (list === undefined || isCostly) continue;
      lists.set(list, [...(lists.get(list) ?? []), command]);
      if (isUser) users.add(list);
    }
  }
  const byAppliance = new Map<string, Remembered>();

  return {
    known: async (channel, may) => {
      const policy = authority.channel(channel);
      const appliance = appliances.get(policy?.appliance ?? '');
      if (policy === undefined || appliance === undefined) return nothingKnown;
      const [names, people] = await Promise.all([namesOn(appliance), inTime(members.names())]);
      const mayName = [...names].filter(([list]) => lists.get(list)?.some(may));
      return {
        appliances: namesOf(allowedIn(policy, fleet, channel), fleet),
        listed: new Map(mayName),
        people: people ?? nothingKnown.people,
        users,
      };
    },
  };

  /** What comes of it in the time that a line waits; undefined where nothing does. */
  async function inTime<Found>(asking: Promise<Found>): Promise<Found | undefined> {
    const timedOut = Promise.withResolvers<undefined>();
    const callOff = after(timeout, () => timedOut.resolve(undefined));
    const found = await Promise.race([asking, timedOut.promise]).catch(() => undefined);
    callOff();
    return found;
  }

  async function namesOn(appliance: Appliance): Promise<Remembered['names']> {
    const last = byAppliance.get(appliance.name);
    const found = last !== undefined && last.until > now() ? last : ask(appliance, last?.names);
    byAppliance.set(appliance.name, found);
    await inTime(found.asking);
    return found.names;
  }

  /** What it does not list now is known as it was. */
  function ask(appliance: Appliance, before: Remembered['names'] = new Map()): Remembered {
    const names = new Map(before);
    const asking = Promise.allSettled(
      Array.from(lists.keys(), async (list) => {
        const found = await list(appliance, {});
        names.set(
          list,
          new Set(found.flatMap(({ word, name }) => [word, name].map((one) => one.toLowerCase()))),
        );
      }),
    );
    return { names, asking, until: now() + remembered };
  }
}

/** Appliances are called by their names, and several at once by a tag of theirs. */
function namesOf(names: readonly string[], fleet: Fleet): KnownThings['appliances'] {
  const tags = names.flatMap((name) => applianceIn(fleet, name).tags);
  return new Map([
    ...tags.map((tag) => [tag.toLowerCase(), `tag:${tag}`] as const),
    ...names.map((name) => [name.toLowerCase(), name] as const),
  ]);
}
