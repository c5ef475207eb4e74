import type { WaitsForPerson } from '../../handlers/conversation/standing.ts';
import {
  code,
  type Part,
  person as personSpan,
  plural,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Button, Invocation, SaidPart } from '../base/chat.ts';
import { lineNow } from '../base/stored.ts';
import { headlineOf, needsInWords } from '../showing/card.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { channelsWithRole } from './home.ts';
import { type RequestParts, sectionsOf, type WaitingRequests, waitingRequests } from './requests.ts';
import { mostLooked, seeCard } from './section.ts';

/** A message has less room than their own page; and so many requests of others are named. */
const mostOfEach = 3;
const mostOfOthers = 5;

/**
 * Answers whoever asks what waits for them, or types that they approve: the same as their own page shows, with its buttons. In the thread of
 * a card that card comes first.
 */
export function createWaitsFor(parts: RequestParts) {
  const { authority, commandByPhrase, journal } = parts;

  return async ({
    person,
    channel,
    askedIn,
  }: Pick<Invocation, 'person' | 'channel' | 'askedIn'>): Promise<WaitsForPerson> => {
    const known = await channelsWithRole(parts, person);
    // Whoever types in a channel is in it.
    const { channels, isUnread } =
      known === 'lookup_failed' ? { channels: [{ id: channel, name: '' }], isUnread: true } : known;
    const viewer = { person, channels };
    const about = await cardAbove(channel, askedIn);
    const found = firstAbout(await waitingRequests(parts, viewer), about);
    const toConfirm = found.own.filter(({ consent }) => consent === undefined);
    const count = found.toDecide.length + toConfirm.length;
    const shown = sectionsOf(parts, found, mostOfEach);
    const isUnsure = isUnread || found.ofOthers.some(({ fault }) => isLookupFailed(fault));
    const others = ofOthersHere(found, about, channel, askedIn);
    const details = [
      ...(isUnsure && count > 0 ? [textPart(mayBeMore)] : []),
      ...(about === undefined ? [] : aboutCard(found, about)),
      ...(await Promise.all(shown.map((section) => section.parts()))).flat().flatMap(asParts),
      ...(others.length === 0 ? [] : [textPart([strong('Waiting for others here')]), listPart(others)]),
    ];
    return {
      isAny: isUnsure || details.length > 0,
      reply: { headline: headline(found, count, isUnsure), details },
    };
  };

  /** The action whose card the thread hangs below, in which it was asked. */
  async function cardAbove(channel: string, askedIn: Invocation['askedIn']): Promise<Action | undefined> {
    const below = askedIn?.below;
    if (below === undefined) return undefined;
    const there = await journal.under(below, mostLooked);
    return there.find(
      (one) =>
        one.card === below &&
        one.channel === channel &&
        one.direct === askedIn?.direct &&
        one.interaction === undefined &&
        one.effect !== undefined,
    );
  }

  /** Of a card that waits for nobody any more, how it stands. */
  function aboutCard(found: WaitingRequests, about: Action): readonly Part[] {
    const isShown = [...found.toDecide, ...found.own, ...found.ofOthers.map(({ action }) => action)].some(
      ({ id }) => id === about.id,
    );
    if (isShown || about.effect === 'read') return [];
    const how = headlineOf(about, commandByPhrase.get(about.phrase ?? ''));
    return [textPart(say`The request of this thread waits for nobody: ${how}`)];
  }

  /** What everybody in the channel sees waiting, though it is not theirs to decide. */
  function ofOthersHere(
    { ofOthers }: WaitingRequests,
    about: Action | undefined,
    channel: string,
    askedIn: Invocation['askedIn'],
  ): readonly Text[] {
    if (askedIn?.direct !== undefined || authority.channel(channel) === undefined) return [];
    const here = ofOthers.filter(({ action }) => action.channel === channel && action.direct === undefined);
    return first(here, ({ action }) => action.id === about?.id)
      .slice(0, mostOfOthers)
      .map(
        ({ action, fault }) =>
          say`${code(lineNow(action))}, asked by ${personSpan(action.person)}: ${whyNotTheirs(action, fault)}${seeCard(action)}`,
      );
  }
}

function headline({ own, isCut }: WaitingRequests, count: number, isUnsure: boolean): Text {
  if (count > 0)
    return say`${strong(plural(count, 'request'))} ${count === 1 ? 'waits' : 'wait'} for you. Words approve and deny nothing: press a button.`;
  if (isUnsure)
    return say`Couldn’t read from Slack what you may approve, so something may wait for you. Open this again in a minute.`;
  const ofOwn =
    own.length === 0
      ? []
      : say` Your own ${own.length === 1 ? 'request has' : 'requests have'} to be approved by somebody else.`;
  return isCut
    ? say`None of the newest ${mostLooked} requests waits for your approval or confirmation.${ofOwn}`
    : say`Nothing waits for your approval or confirmation.${ofOwn}`;
}

const mayBeMore = say`Couldn’t read everything from Slack that says what you may approve, so there may be more. Ask again in a minute.`;

function whyNotTheirs(action: Action, fault: Fault): Text {
  switch (fault.code) {
    case 'approved_already':
      return say`you approved it, and it waits for ${needsInWords(action)}`;
    case 'not_an_approver':
      return say`it waits for ${needsInWords(action)}, and you can’t approve it`;
    default:
      return explain(fault).headline;
  }
}

const isLookupFailed = (fault: Fault): boolean =>
  (fault.code === 'denied' || fault.code === 'asker_denied') && fault.denial.code === 'lookup_failed';

function firstAbout(found: WaitingRequests, about: Action | undefined): WaitingRequests {
  const isAbout = ({ id }: Action) => id === about?.id;
  return { ...found, toDecide: first(found.toDecide, isAbout), own: first(found.own, isAbout) };
}

const first = <One>(all: readonly One[], isFirst: (one: One) => boolean): readonly One[] => [
  ...all.filter(isFirst),
  ...all.filter((one) => !isFirst(one)),
];

const textPart = (text: Text): Part => ({ kind: 'text', text });
const listPart = (items: readonly Text[]): Part => ({ kind: 'list', items });

const decisions = ['approve', 'deny', 'confirm', 'cancel'] as const;
const isDecision = (press: Button['press']): press is (typeof decisions)[number] =>
  decisions.some((one) => one === press);

/** What stands on their own page, as parts of an answer. A button has no place beside a text there, so the text comes first. */
function asParts(part: SaidPart): readonly Part[] {
  switch (part.kind) {
    case 'section':
      return [textPart([strong(part.title)])];
    case 'buttons': {
      const offers = part.buttons.flatMap(({ press, label, about: line = label, ...button }) =>
        isDecision(press) ? [{ label, line, standing: { ...button, press } }] : [],
      );
      return [...(part.beside === undefined ? [] : [textPart(part.beside)]), { kind: 'offers', offers }];
    }
    default:
      return [part];
  }
}
