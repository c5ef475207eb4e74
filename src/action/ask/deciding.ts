import { lineOf } from '../../handlers/language/asked.ts';
import { code, elapsed, enumerate, say, strong, type Text } from '../../handlers/reply.ts';
import { notThere } from '../authority/own-channels.ts';
import { addPhrase } from '../authority/ways.ts';
import type { Invocation, Press } from '../base/chat.ts';
import { after } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { type AllowedAs, outdatedBy, pressedIn, spanOf, termFor } from '../requests/allowed-as.ts';
import { barredBy } from '../requests/askable.ts';
import { deliveryOf, requestIn, type SiteRequest } from '../requests/site-request.ts';
import { siteInWords, unverifiedName } from '../requests/words.ts';
import { explain } from '../wording/faults.ts';
import type { Checking } from './checking.ts';
import { createDeclining, createDenying, type Denying } from './denying.ts';
import type { BarToDecide } from './may-decide.ts';
import type { MoveRequest } from './moving.ts';
import { toldOf } from './telling.ts';

/** What those who decide do with a request. */
export interface Deciding extends Pick<Denying, 'submit'> {
  /** A click on one of its buttons. */
  readonly press: (press: Press) => Promise<void>;
  readonly bar: BarToDecide;
}

export interface DecidingParts extends Parts {
  readonly move: MoveRequest;
  readonly bar: BarToDecide;
  readonly checking: Checking;
  /** Asks a line on somebody's behalf, as if they had typed it. */
  readonly ask: (invocation: Invocation) => Promise<void>;
  /** What has become of it, once its line was asked. */
  readonly follow: (request: SiteRequest) => Promise<void>;
}

export function createDeciding(parts: DecidingParts): Deciding {
  const { authority, ownChannels, journal, whisper, commandByPhrase, move, bar, checking, now } = parts;
  const declining = createDeclining(parts);
  const { decline, tooLate } = declining;
  const denying = createDenying({ ...parts, declining, read });

  return {
    bar,
    submit: denying.submit,
    press: async (press) => {
      const request = await read(press.token);
      if (request === undefined) return whisper(press, explain({ code: 'card_gone' }));
      const there = await placeOf(press, request);
      if (there === undefined) return;
      const pressed = pressedIn(press.detail);
      if (request.row.state !== 'open')
        return tooLate(there, pressed.kind === 'deny' ? 'Deny' : 'Allow', request);
      if (pressed.kind === 'deny') return denying.askWhy(there, request);
      return allow(there, request, pressed);
    },
  };

  async function read(id: string): Promise<SiteRequest | undefined> {
    const row = await journal.siteRequest(id);
    const content = row && requestIn(row);
    return content && { row, content };
  }

  /** From their own page, or what they alone see, it counts in the channel where it is decided, if they are in it. */
  async function placeOf(press: Press, { row }: SiteRequest): Promise<Press | undefined> {
    if (press.channel === row.channel) return press;
    const membership =
      press.inPerson === true || press.whispered === true
        ? await ownChannels.look(press.person, row.channel)
        : 'not_member';
    if (membership === 'member') return { ...press, channel: row.channel };
    await whisper(press, { headline: notThere[membership] });
    return undefined;
  }

  /** What is pressed is done by the line that does it, in the name of whoever presses: all that hangs on it is decided there. */
  async function allow(press: Press, before: SiteRequest, pressed: AllowedAs): Promise<void> {
    // Whoever lacks the right for it is told so before anything moves.
    const fault = await bar(press, before, 'run');
    if (fault !== undefined) return decline(press, 'Allow', before, fault);
    const request = await asItIsNow(press, before, pressed);
    if (request === undefined) return;
    const { row, content } = request;
    const asked = lineFor(request, pressed);
    if (asked === undefined) return decline(press, 'Allow', request, { headline: selfServiceIsOff });
    const attempts = content.attempts + 1;
    const { notice: _, formUntil: _form, ...others } = content;
    const allowed = { by: press.person, at: now() };
    const taken = await move(
      row,
      { ...others, attempts, allowed },
      { state: 'asking', isHeld: true, action: null, messages: (one) => toldOf(one, undefined) },
    );
    if (taken === undefined) return tooLate(press, 'Allow', (await read(row.id)) ?? request);
    const { team, person, channel, trigger, replyTo, inPerson } = press;
    try {
      await parts.ask({
        ...{ team, person, channel, trigger, replyTo, inPerson, line: lineOf(asked), asked },
        ...{ delivery: deliveryOf(row, attempts), agreed: true },
        ...(row.card !== undefined && { thread: row.card, askedIn: { below: row.card } }),
      });
    } finally {
      await parts.follow(taken);
    }
  }

  /**
   * The card may be hours old: what the policy lets is asked now, and the site is looked at once more. Undefined where that leaves nothing
   * to allow, and whoever pressed was told so.
   */
  async function asItIsNow(
    press: Press,
    before: SiteRequest,
    pressed: AllowedAs,
  ): Promise<SiteRequest | undefined> {
    const policy = authority.policy().selfService;
    const current = { ...before.content, extends: await checking.allowedNow(before) };
    const outdated = outdatedBy(pressed, { row: before.row, content: current }, before, now());
    if (outdated !== undefined) {
      await move(before.row, current, { messages: (one) => toldOf(one, undefined) });
      await decline(press, 'Allow', before, outdated);
      return undefined;
    }
    const span = spanOf(pressed, { row: before.row, content: current }, now());
    const isLess =
      policy === undefined || (pressed.kind === 'good' ? !policy.forGood : span > policy.longest);
    if (isLess) {
      await move(before.row, before.content, {
        nextAt: before.row.nextAt,
        messages: (one) => toldOf(one, undefined),
      });
      await decline(press, 'Allow', before, {
        headline:
          policy === undefined || pressed.kind === 'good'
            ? selfServiceIsOff
            : say`The policy lets a site be allowed for ${elapsed(policy.longest)} at most by now. Your click did nothing; the button was changed to that.`,
      });
      return undefined;
    }
    const looked = await atMost(lookAtMost, checking.lookAgain(before.row, span));
    if (looked === 'gone') {
      await tooLate(press, 'Allow', (await read(before.row.id)) ?? before);
      return undefined;
    }
    const request =
      looked === undefined ? { row: before.row, content: { ...before.content, findings: [] } } : looked;
    if (request.row.state !== 'open') {
      await tooLate(press, 'Allow', request);
      return undefined;
    }
    if (barredBy(policy, request.content) === undefined) return looked === undefined ? before : request;
    const { unchecked } = request.content;
    const where =
      unchecked.length === 0 ? [] : say` (${enumerate(unchecked.map((one) => strong(one.appliance)))})`;
    await decline(press, 'Allow', request, {
      headline: say`${siteInWords(request.row.site)} may be in a category whose sites can’t be requested: its categories can’t be read now${where}. Your click did nothing. Try again in a minute.`,
    });
    return undefined;
  }

  /** The line that allows it. Undefined where the policy no longer says to what category. */
  function lineFor(request: SiteRequest, pressed: AllowedAs) {
    const { row } = request;
    const policy = authority.policy().selfService;
    const command = commandByPhrase.get(addPhrase);
    if (policy === undefined || command === undefined) return undefined;
    if (pressed.kind === 'good' && !policy.forGood) return undefined;
    const own = authority.channel(row.channel)?.appliance;
    const term = termFor(pressed, request, now(), authority.policy().timeZone);
    const isOwn = row.appliances.length === 1 && row.appliances[0] === own;
    return {
      command,
      typed: { site: [row.site], category: [policy.allowCategory] },
      ...(term !== undefined && { term }),
      ...(!isOwn && { on: row.appliances.join(',') }),
      reason: reasonFor(request),
    };
  }
}

/** How long whoever presses waits for the appliances at most, in milliseconds. */
const lookAtMost = 20_000;

/** Undefined when it takes longer. */
function atMost<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const callOff = after(milliseconds, () => resolve(undefined));
    answer.then(resolve, reject).finally(callOff);
  });
}

const selfServiceIsOff: Text = say`Requests can’t be allowed with this button any more: the policy has changed. Your click did nothing. Type ${code('/appliance category add')} instead.`;

/** The change says why it was made; who asked stands above it on the card, but for people whom Slack does not know. */
const reasonFor = ({ row, content: { from } }: SiteRequest): string =>
  from.kind === 'slack'
    ? row.reason
    : `${row.reason} (block page, not verified: ${unverifiedName(from.said)})`.slice(0, 500);
