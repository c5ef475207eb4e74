import { nearest } from './nearest.ts';
import type { ChannelPolicy } from './policy.ts';
import { type ApplianceFacts, type NamedAppliance, noFacts } from './request.ts';

/**
 * Every appliance by name with its facts, in the order of the configuration. With `onlyIn`, it was removed from
 * the configuration while the bot still had to end something there. Only the channel of that ID may name it.
 */
export type Fleet = ReadonlyMap<string, ApplianceFacts & { readonly onlyIn?: string | undefined }>;

export const applianceIn = (fleet: Fleet, name: string): NamedAppliance => ({
  name,
  ...(fleet.get(name) ?? noFacts),
});

/**
 * The appliances that a command works on, in the order of the configuration and each once; or the reason for a
 * refusal.
 */
export type Targets =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly problem: TargetProblem };

/** Repeats the typed text in lower case, at any length. */
export type TargetProblem =
  /** The list is empty: `""`, `,`, `tag:`. */
  | { readonly code: 'none_named'; readonly allowed: readonly string[] }
  /** `nearest` holds likely names as they are typed, best first: `tag:prod`, or at most three names. */
  | {
      readonly code: 'appliance_unknown';
      readonly name: string;
      readonly nearest: readonly string[];
      readonly allowed: readonly string[];
    }
  /** The appliance exists, but `--on` may not name it in this channel. */
  | { readonly code: 'appliance_not_allowed'; readonly name: string; readonly allowed: readonly string[] }
  /** No appliance that this channel may name has this tag; `tags` are those that they have. */
  | { readonly code: 'tag_unknown'; readonly tag: string; readonly tags: readonly string[] };

/** The word for every appliance that a channel may name. No appliance may have this name. */
export const everyAppliance = 'all';
const byTag = 'tag:';

/**
 * Resolves `--on` in a channel: names, `all` and `tag:prod`, separated by commas or spaces; without `--on`, the
 * channel's own appliance. Pure, and denies by default: one name that the channel may not use refuses the whole
 * list, and such names are never suggested. `id`: the channel's own.
 */
export function targetsOf(
  on: string | undefined,
  channel: ChannelPolicy,
  fleet: Fleet,
  id?: string,
): Targets {
  if (on === undefined) return { ok: true, names: [channel.appliance] };
  const allowed = allowedIn(channel, fleet, id);
  const given = on.toLowerCase().split(/[\s,]+/);
  const chosen = new Set<string>();
  for (const part of given.filter((one) => one !== '')) {
    const found = meantBy(part, allowed, fleet);
    if ('code' in found) return { ok: false, problem: found };
    for (const name of found) chosen.add(name);
  }
  if (chosen.size === 0) return { ok: false, problem: { code: 'none_named', allowed } };
  return { ok: true, names: allowed.filter((name) => chosen.has(name)) };
}

/** The appliances that a command in this channel may work on: its own, and those that `--on` may name. */
export function allowedIn(
  { appliance, appliances }: ChannelPolicy,
  fleet: Fleet,
  id?: string,
): readonly string[] {
  return [...fleet].flatMap(([name, { onlyIn }]) => {
    const isAllowed =
      onlyIn === undefined
        ? name === appliance || appliances === everyAppliance || appliances.includes(name)
        : onlyIn === id;
    return isAllowed ? [name] : [];
  });
}

function meantBy(part: string, allowed: readonly string[], fleet: Fleet): readonly string[] | TargetProblem {
  if (part === everyAppliance) return allowed.filter((name) => fleet.get(name)?.onlyIn === undefined);
  if (allowed.includes(part)) return [part];
  const tagsOf = (name: string) => fleet.get(name)?.tags ?? [];
  const tags = [...new Set(allowed.flatMap(tagsOf))];
  if (part === byTag) return { code: 'none_named', allowed };
  if (part.startsWith(byTag)) {
    const tag = part.slice(byTag.length);
    return tags.includes(tag)
      ? allowed.filter((name) => tagsOf(name).includes(tag))
      : { code: 'tag_unknown', tag, tags };
  }
  if (fleet.has(part)) return { code: 'appliance_not_allowed', name: part, allowed };
  const meant = tags.includes(part) ? [`${byTag}${part}`] : nearest(part, allowed).slice(0, 3);
  return { code: 'appliance_unknown', name: part, nearest: meant, allowed };
}
