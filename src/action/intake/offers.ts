import { isNamed } from '../../handlers/argument.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { isPosted } from '../../handlers/lists/posted-file.ts';
import { code, plainText, type Reply, say } from '../../handlers/reply.ts';
import type { Action, Json, Kept } from '../../journal/journal.ts';
import type { Invocation, Press, RefusedLine } from '../base/chat.ts';
import { targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { About } from '../history/interactions.ts';
import { type KeptOffer, offerIn } from '../showing/kept-offer.ts';

/** A click on a button that stands for a line: an undo, a suggestion, one of several of a name. Or the word for it, typed. */
export type PressOffer = (press: PressedOffer) => Promise<void>;

/** The word for it is answered where it was typed, and a click where the button was offered. */
type PressedOffer = Omit<Press, 'card'> & Pick<Invocation, 'delivery' | 'askedIn' | 'reason' | 'unattended'>;

export function createOffers(
  { commandByPhrase, journal, interactionLog, notifications, whisper }: Parts,
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
    const { line, agreed, guess, undo, accessRequest, asked, moves } = offer;
    const command = asked && commandByPhrase.get(asked.phrase);
    // Kept by an older version of the bot, whose command has another name now.
    if (asked !== undefined && command === undefined) {
      return interactionLog.decline(press, about, { code: 'offer_gone', taken: kept });
    }
    const { team, channel, person, delivery, trigger, replyTo, thread, inPerson } = press;
    // Only an undo stands on the card of its change, which has one button less after it.
    const origin = undo && kept.action !== undefined ? await journal.byId(kept.action) : undefined;
    const from = {
      team,
      channel,
      person,
      delivery,
      trigger,
      replyTo,
      thread,
      inPerson,
      askedIn: press.askedIn ?? offer.askedIn,
      reason: press.reason,
      unattended: press.unattended,
    };
    if (offer.each !== undefined) {
      if ((await journal.take(press.token, person)) === undefined) {
        return interactionLog.decline(press, about, {
          code: 'offer_gone',
          taken: await journal.kept(press.token),
        });
      }
      const refusals: RefusedLine[] = [];
      await askEach({ ...from, refusals }, offer.each).finally(() => tellRefused(from, refusals));
      return journal.wasTaken(press.token);
    }
    await ask({
      ...from,
      line,
      agreed,
      guess,
      undo,
      origin,
      accessRequest,
      moves,
      offer: press.token,
      ...(asked && command && { asked: { command, typed: asked.typed } }),
    });
    const stood =
      offer.label === undefined || kept.action === undefined ? origin : await journal.byId(kept.action);
    if (stood !== undefined) await notifications.draw(stood);
  };

  /** What is refused for the same reason is told once, with all that is. */
  async function tellRefused(
    from: Omit<Invocation, 'line'>,
    refusals: readonly RefusedLine[],
  ): Promise<void> {
    const alike = Map.groupBy(refusals, ({ reply }) => plainText(reply.headline));
    for (const [first, ...others] of alike.values()) {
      if (first === undefined) continue;
      if (others.length === 0) await whisper(from, first.reply, first.action);
      else await whisper(from, together([first, ...others]), first.action);
    }
  }

  /** One after the other, whatever becomes of those before it. */
  async function askEach(
    from: Omit<Invocation, 'line'>,
    [first, ...others]: NonNullable<KeptOffer['each']>,
  ): Promise<void> {
    if (first === undefined) return;
    const { line, moves } = first;
    try {
      await ask({ ...from, line, ...(moves ? { moves, agreed: true } : {}) });
    } finally {
      await askEach(from, others);
    }
  }
}

/** One reply for several: the lines that it is about, and the buttons of each with its number. */
function together(refused: readonly RefusedLine[]): Reply {
  const [first] = refused;
  const offers = refused.flatMap(({ reply }, index) =>
    (reply.details ?? []).flatMap((part) =>
      part.kind === 'offers'
        ? part.offers.map((offer) => ({ ...offer, label: `${index + 1}: ${offer.label}` }))
        : [],
    ),
  );
  const details = (first?.reply.details ?? []).filter(({ kind }) => kind !== 'offers');
  return {
    headline: first?.reply.headline ?? [],
    details: [
      { kind: 'list', items: refused.map(({ line }, index) => say`${index + 1}: ${code(line)}`) },
      ...details,
      ...(offers.length === 0 ? [] : [{ kind: 'offers', offers: offers.slice(0, mostButtons) } as const]),
    ],
  };
}

/** More would be a wall of buttons. */
const mostButtons = 10;

/**
 * The line of an undo as people read it, with names for the numbers by which it is run: what they are called is known from
 * the action that it takes back.
 */
export function lineInNames(asked: Asked, origin: Action, commands: Parts['commandByPhrase']): string {
  const kinds = commands.get(origin.phrase ?? '')?.args ?? {};
  const on = asked.on?.split(',') ?? [];
  const known = targetsIn(origin)
    .filter(({ appliance }) => on.includes(appliance))
    .flatMap(({ args }) => Object.entries(args))
    .flatMap(([slot, values]) => [values].flat().map((value) => ({ what: kinds[slot]?.what, value })));
  const named = Object.entries(asked.typed).map(([slot, words]) => {
    const argument = asked.command.args[slot];
    const nameOf = (word: string) =>
      argument?.list === undefined
        ? undefined
        : known.flatMap(({ what, value }) => (what === argument.what ? nameIn(value, word) : []))[0];
    return [slot, words?.map((word) => (isPosted(word) ? word : (nameOf(word) ?? word)))] as const;
  });
  return lineOf({ ...asked, typed: Object.fromEntries(named) });
}

/** A name that is a number, too, would be taken for one. */
const nameIn = (value: Json, word: string): readonly string[] =>
  isNamed(value) && String(value.id) === word && !/^#?\d*$/.test(value.name) ? [value.name] : [];

const aboutOf = (kept: Kept): About => ({ line: offerIn(kept)?.line, action: kept.action });
