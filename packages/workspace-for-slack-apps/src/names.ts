import { distance } from 'fastest-levenshtein';
import type { Member, Room, UserGroup } from '../../../sandbox/workspace/people.ts';
import type { Snapshot } from '../../../sandbox/workspace/protocol.ts';
import { transcript } from '../../../sandbox/workspace/transcript.ts';
import type { Workspace as Inside } from '../../../sandbox/workspace/workspace.ts';

/** Looks up people and things by name. All methods throw an Error that lists the existing names. */
export interface Names {
  person(name: string): Member;
  /** Also the app. */
  anybody(name: string): Member;
  channel(name: string): Room;
  userGroup(handle: string): UserGroup;
  /** The ID of a channel, or of the direct messages of the app and this person. */
  place(name: string, as: string): string;
}

export function namesIn(inside: Inside): Names {
  const one = <Known extends { readonly id: string }>(
    kind: string,
    given: string,
    known: readonly Known[],
    nameOf: (one: Known) => string,
  ): Known => {
    const wanted = given.replace(/^[#@]/, '');
    const found = known.find((it) => nameOf(it) === wanted) ?? known.find(({ id }) => id === wanted);
    if (found !== undefined) return found;
    throw new Error(`There is no ${kind} ${given} here. There is ${known.map(nameOf).join(', ') || 'none'}.`);
  };
  const app = () => inside.people.find(({ id }) => id === inside.botUserId);
  const channel = (name: string) =>
    one(
      'channel',
      name,
      inside.channels.filter(({ isIm }) => !isIm),
      (it) => it.name,
    );
  return {
    person: (name) =>
      one(
        'person',
        name,
        inside.people.filter(({ isBot }) => !isBot),
        (it) => it.name,
      ),
    anybody: (name) => one('person', name, inside.people, (it) => it.name),
    channel,
    userGroup: (handle) => one('user group', handle, inside.userGroups, (it) => it.handle),
    place: (name, as) => (name === `@${app()?.name}` ? inside.direct(as).id : channel(name).id),
  };
}

/** A channel as whoever saw it reads it. */
export const said = (seen: Snapshot, channel: string, now: number): string =>
  transcript(seen, channel, { now });

/** The same of every name in it. */
export function mustKnow(kind: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) mustBeAmong(kind, name, known);
}

/** @throws TypeError that suggests a name, for one that is not among these */
export function mustBeAmong(kind: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  const [nearest = ''] = known.toSorted((one, other) => distance(one, given) - distance(other, given));
  throw new TypeError(`${kind} ${given}; did you mean ${nearest}?`);
}
