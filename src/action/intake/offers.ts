import type { Kept } from '../../journal/journal.ts';
import type { Invocation, Press } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import type { About } from '../history/interactions.ts';
import { offerIn } from '../showing/kept-offer.ts';

/** A click on a button that stands for a line: an undo, a suggestion, one of several of a name. Or the word for it, typed. */
export type PressOffer = (press: PressedOffer) => Promise<void>;

type PressedOffer = Omit<Press, 'card'> & Pick<Invocation, 'delivery'>;

export function createOffers(
  { commandByPhrase, journal, interactionLog, notifications }: Parts,
  ask: (invocation: Invocation) => Promise<void>,
): PressOffer {
  return async (press) => {
    const kept = await journal.kept(press.token);
    const about = kept?.channel === press.channel ? aboutOf(kept) : {};
    if (kept?.kind !== 'offer' || kept.channel !== press.channel || kept.takenBy !== undefined) {
      return interactionLog.decline(press, about, { code: 'offer_gone', taken: kept });
    }
    if (kept.person !== undefined && kept.person !== press.person) {
      return interactionLog.decline(press, about, { code: 'not_your_offer' });
    }
    const offer = offerIn(kept);
    if (offer === undefined) return interactionLog.decline(press, about, { code: 'card_gone' });
    const { line, agreed, guess, undo, accessRequest, asked } = offer;
    const command = asked && commandByPhrase.get(asked.phrase);
    // Kept by an older version of the bot, whose command has another name now.
    if (asked !== undefined && command === undefined) {
      return interactionLog.decline(press, about, { code: 'offer_gone', taken: kept });
    }
    const { team, channel, person, delivery, trigger, replyTo, thread } = press;
    await ask({
      ...{ team, channel, person, delivery, trigger, replyTo, thread },
      ...{ line, agreed, guess, undo, accessRequest },
      offer: press.token,
      ...(asked && command && { asked: { command, typed: asked.typed } }),
    });
    // Only an undo stands on the card of its change, which has one button less now.
    const origin = undo && kept.action !== undefined ? await journal.byId(kept.action) : undefined;
    if (origin !== undefined) await notifications.draw(origin);
  };
}

const aboutOf = (kept: Kept): About => ({ line: offerIn(kept)?.line, action: kept.action });
