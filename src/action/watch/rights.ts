import { person as personSpan, say, type Text } from '../../handlers/reply.ts';
import type { WatchRow } from '../../journal/journal.ts';
import type { AskedFor } from '../authority/authority.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptWatch, termsIn } from '../target/watches.ts';
import { whyTheyCannot } from '../wording/denied.ts';

/** Whether something may still be looked at, or asked, on its owner's behalf. */
export type GoingOn =
  | { readonly kind: 'may'; readonly place: 'own' | 'shared' }
  /** Nobody may at this hour, or the chat does not say now (`isUnknown`). */
  | { readonly kind: 'later'; readonly isUnknown: boolean }
  | {
      readonly kind: 'ends';
      readonly why: Text;
      /** The channel reads nothing of it any more. */
      readonly isSilent: boolean;
      /** Where the bot is not in the channel, it does not see who is. */
      readonly countsOnlyThere: boolean;
    };

export type MayGoOn = (
  row: Pick<WatchRow, 'person' | 'channel' | 'terms'>,
  kept: Pick<KeptWatch, 'place'>,
  /** What is asked, complete, as it would be typed; undefined where nobody can say. */
  asked: AskedFor | undefined,
) => Promise<GoingOn>;

/** So long it is believed that somebody is in a channel, in milliseconds: Slack answers only some fifty such questions a minute. */
const believed = 5 * 60_000;

export function createMayGoOn({
  authority,
  ownChannels,
  now,
}: Pick<Parts, 'authority' | 'ownChannels' | 'now'>): MayGoOn {
  const memberUntil = new Map<string, number>();

  return async (row, { place: before }, asked) => {
    const { person, channel } = row;
    const place = await authority.placeOf(channel);
    if (place === 'lookup_failed') return unknown;
    if (place === 'shared' && before !== 'shared' && authority.channel(channel)?.sharedWrites !== true) {
      const why = say`the channel is shared with another organization by now, and nobody has asked for it there since`;
      return { ...ends(why), isSilent: true };
    }
    if (asked !== undefined) {
      const decision = await authority.decide({ ...asked, person, channel, access: 'run' });
      if (!decision.allow) {
        if (decision.denial.code === 'lookup_failed') return unknown;
        return ends(say`${personSpan(person)} may not run it here: ${whyTheyCannot(decision.denial)}`);
      }
      const approval = authority.approvalFor(asked, decision.by).kind;
      if (approval === 'not_possible') return { kind: 'later', isUnknown: false };
      if (approval === 'needed' && !termsIn(row).approved)
        return ends(say`it needs an approval now, and nobody has given one`);
    }
    const membership = await membershipOf(person, channel);
    if (membership === 'lookup_failed') return unknown;
    if (membership === 'not_member')
      return { ...ends(say`${personSpan(person)} isn’t in this channel any more`), countsOnlyThere: true };
    return { kind: 'may', place };
  };

  async function membershipOf(person: string, channel: string) {
    const { kind } = await authority.identify(person, channel);
    // A bot has a role only by its name.
    if (kind === 'bot') return 'member';
    const key = `${person} ${channel}`;
    if ((memberUntil.get(key) ?? 0) > now()) return 'member';
    const found = await ownChannels.look(person, channel);
    if (found === 'member') memberUntil.set(key, now() + believed);
    else memberUntil.delete(key);
    return found;
  }
}

const unknown = { kind: 'later', isUnknown: true } as const;

const ends = (why: Text) => ({ kind: 'ends', why, isSilent: false, countsOnlyThere: false }) as const;
