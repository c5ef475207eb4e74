import { z } from 'zod';
import { lineOf } from '../../handlers/language/asked.ts';
import { code, plainText, type Reply, say, type Text } from '../../handlers/reply.ts';
import { codec } from '../../journal/codec.ts';
import type { SiteRequestRow } from '../../journal/journal.ts';
import { unresolved } from '../authority/asked-of.ts';
import type { AskedFor } from '../authority/authority.ts';
import { notThere } from '../authority/own-channels.ts';
import { addPhrase, askPhrase } from '../authority/ways.ts';
import type { Invocation, Press, Submission, SubmissionResult } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { cappedTo } from '../requests/card.ts';
import { requestIn, type SiteRequest } from '../requests/site-request.ts';
import { askerInWords, requestInWords, standingOf } from '../requests/words.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { textProblem } from '../wording/misfits.ts';
import type { MoveRequest } from './moving.ts';
import { lastWords, toldOf } from './telling.ts';

/** What those who decide do with a request. */
export interface Deciding {
  /** A click on one of its buttons. */
  readonly press: (press: Press) => Promise<void>;
  /** Takes the form that asks why something is denied. Undefined when the submission is of another one. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
  /** Why somebody may not decide a request, if they may not. */
  readonly bar: (
    by: Pick<Press, 'person' | 'channel'>,
    request: SiteRequest,
    access?: 'run' | 'approve',
  ) => Promise<Reply | Fault | undefined>;
}

export interface DecidingParts extends Parts {
  readonly move: MoveRequest;
  /** Asks a line on somebody's behalf, as if they had typed it. */
  readonly ask: (invocation: Invocation) => Promise<void>;
  /** What has become of it, once its line was asked. */
  readonly follow: (request: SiteRequest) => Promise<void>;
}

interface DenyRequestForm {
  readonly holds: 'deny request form';
  readonly request: string;
}

const denyForms = codec<DenyRequestForm>(
  z.object({ holds: z.literal('deny request form'), request: z.string() }),
);

/** How long such a form may lie open, in milliseconds. */
const lifetime = 30 * 60_000;

/** By which the action is known that a click has led to. */
export const deliveryOf = ({ id }: Pick<SiteRequestRow, 'id'>, attempt: number): string =>
  `request:${id}:${attempt}`;

export function createDeciding(parts: DecidingParts): Deciding {
  const { authority, ownChannels, journal, chat, whisper, interactionLog, commandByPhrase, move, now } =
    parts;

  return {
    bar,
    press: async (press) => {
      const request = await read(press.token);
      if (request === undefined) return whisper(press, explain({ code: 'card_gone' }));
      const there = await placeOf(press, request);
      if (there === undefined) return;
      if (request.row.state !== 'open') return tooLate(there, request);
      const lasts = allowedFor(press.detail);
      if (lasts === 'deny') return askWhy(there, request);
      return allow(there, request, lasts);
    },

    submit: async ({ team, person, token, entered }) => {
      const kept = await journal.kept(token);
      const form = kept && denyForms.read(kept.content);
      if (kept === undefined || form === undefined) return undefined;
      if (kept.person !== person) return { kind: 'over', why: say`This form was opened for somebody else.` };
      const reason = (entered.words.reason?.[0] ?? '').trim();
      const wrong = reason === '' ? say`This is needed.` : textProblem(reason);
      if (wrong !== undefined) return { kind: 'problems', problems: { reason: wrong } };
      const { channel } = kept;
      return {
        kind: 'closed',
        listener: { channel, person },
        follow: () => deny(form.request, { team, person, channel }, reason),
      };
    },
  };

  async function read(id: string): Promise<SiteRequest | undefined> {
    const row = await journal.siteRequest(id);
    const content = row && requestIn(row);
    return content && { row, content };
  }

  /** From their own page it counts in the channel where it is decided, if they are in it. */
  async function placeOf(press: Press, { row }: SiteRequest): Promise<Press | undefined> {
    if (press.channel === row.channel) return press;
    const membership =
      press.inPerson === true ? await ownChannels.look(press.person, row.channel) : 'not_member';
    if (membership === 'member') return { ...press, channel: row.channel };
    await whisper(press, { headline: notThere[membership] });
    return undefined;
  }

  /** What is pressed is done by the line that does it, in the name of whoever presses: all that hangs on it is decided there. */
  async function allow(press: Press, request: SiteRequest, lasts: number | undefined): Promise<void> {
    const { row, content } = request;
    // Whoever lacks the right for it is told so before anything moves.
    const fault = await bar(press, request, 'run');
    if (fault !== undefined) return decline(press, request, fault);
    const asked = lineFor(request, lasts);
    if (asked === undefined) return decline(press, request, { headline: selfServiceIsOff });
    const attempts = content.attempts + 1;
    const { notice: _, ...others } = content;
    const allowed = { by: press.person, at: now(), ...(lasts !== undefined && { lasts }) };
    const taken = await move(
      row,
      { ...others, attempts, allowed },
      { state: 'asking', isHeld: true, action: null, messages: (one) => toldOf(one, undefined) },
    );
    if (taken === undefined) return tooLate(press, (await read(row.id)) ?? request);
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

  /** The line that allows it. Undefined where the policy no longer says to what category. */
  function lineFor({ row, content }: SiteRequest, lasts: number | undefined) {
    const policy = authority.policy().selfService;
    const command = commandByPhrase.get(addPhrase);
    if (policy === undefined || command === undefined) return undefined;
    if (lasts === undefined && !policy.forGood) return undefined;
    const own = authority.channel(row.channel)?.appliance;
    const isOwn = row.appliances.length === 1 && row.appliances[0] === own;
    const term = lasts === undefined ? undefined : cappedTo(lasts, policy.longest);
    return {
      command,
      typed: { site: [row.site], category: [policy.allowCategory] },
      ...(term !== undefined && { term: { option: 'for', text: `${Math.ceil(term / 60_000)}m` } as const }),
      ...(!isOwn && { on: row.appliances.join(',') }),
      reason: reasonFor({ row, content }),
    };
  }

  /** Why somebody has no say in it: it is their own. Another account of the same human is no other. */
  async function ownRequest(
    { person, channel }: Pick<Press, 'person' | 'channel'>,
    { content }: SiteRequest,
  ): Promise<Reply | undefined> {
    if (content.from.kind !== 'slack' || authority.policy().selfService?.requester === true) return undefined;
    const [mine, theirs] = await Promise.all(
      [person, content.from.person].map((one) => authority.identify(one, channel)),
    );
    const isSame =
      person === content.from.person ||
      (mine !== undefined &&
        theirs !== undefined &&
        'human' in mine &&
        'human' in theirs &&
        mine.human === theirs.human);
    return isSame
      ? { headline: say`You asked for this yourself, so somebody else decides. Your click did nothing.` }
      : undefined;
  }

  async function askWhy(press: Press, request: SiteRequest): Promise<void> {
    const fault = await bar(press, request);
    if (fault !== undefined) return decline(press, request, fault);
    const { channel, person, trigger } = press;
    const form: DenyRequestForm = { holds: 'deny request form', request: request.row.id };
    const content = denyForms.store(form);
    const token = await journal.keep({ kind: 'form', content, person, channel, until: now() + lifetime });
    const isOpen =
      trigger !== undefined &&
      (await chat.openForm(trigger, {
        token,
        title: 'Deny',
        submit: 'Deny',
        explanation: say`${askerInWords(request.content.from)} asks for ${requestInWords(request)}. They read why you deny it, and so does everybody in the channel.`,
        inputs: [
          {
            name: 'reason',
            label: 'Reason',
            hint: 'For example: not for work; ask your team lead',
            optional: false,
            kind: { is: 'line' },
          },
        ],
      }));
    if (!isOpen) return decline(press, request, { code: 'form_not_opened', button: 'Deny' });
    await interactionLog.opened(press, aboutOf(request), 'reason');
  }

  async function deny(
    id: string,
    by: Pick<Press, 'team' | 'person' | 'channel'>,
    reason: string,
  ): Promise<void> {
    const request = await read(id);
    const press = { ...by, button: 'request' } as const;
    if (request === undefined) return whisper(by, explain({ code: 'card_gone' }));
    if (request.row.state !== 'open') return tooLate(press, request);
    // Their role may be gone since the form was opened.
    const fault = await bar(by, request);
    if (fault !== undefined) return decline(press, request, fault);
    const { row, content } = request;
    const ending = { kind: 'denied', at: now(), by: by.person, says: say`${reason}` } as const;
    const closed = await move(
      row,
      { ...content, ending },
      { state: 'closed', messages: (one) => toldOf(one, lastWords(one, now())) },
    );
    if (closed === undefined) return tooLate(press, (await read(id)) ?? request);
    const outcome = { code: 'request_denied', says: plainText(standingOf(closed, now())) };
    await journal.write({
      ...by,
      ...aboutOf(request),
      line: `deny ${aboutOf(request).line}`,
      state: 'done',
      outcome,
    });
  }

  /** Whether somebody may decide: whoever may do what Allow does. */
  async function bar(
    by: Pick<Press, 'person' | 'channel'>,
    request: SiteRequest,
    access: 'run' | 'approve' = 'approve',
  ): Promise<Reply | Fault | undefined> {
    const own = await ownRequest(by, request);
    if (own !== undefined) return own;
    const decision = await authority.decide({
      ...{ person: by.person, channel: by.channel, access },
      ...allowing(request),
    });
    return decision.allow ? undefined : authority.fault(decision.denial, by.channel);
  }

  function allowing({ row }: SiteRequest): AskedFor {
    const command = commandByPhrase.get(addPhrase);
    if (command === undefined) throw new Error(`There is no command ${addPhrase}`);
    const category = authority.policy().selfService?.allowCategory;
    const args = category === undefined ? 'any' : unresolved(command, { site: [row.site], category });
    return { command, args, appliances: row.appliances, lasts: 'any' };
  }

  function tooLate(press: Clicked, request: SiteRequest): Promise<void> {
    return decline(press, request, { headline: say`${standingOf(request, now())}. Your click did nothing.` });
  }

  /** What somebody may not is recorded like any other click that was refused. */
  function decline(press: Clicked, request: SiteRequest, why: Reply | Fault): Promise<void> {
    const refusal = 'code' in why ? why : ({ code: 'request_over', reply: why } as const);
    return interactionLog.decline(press, aboutOf(request), refusal);
  }
}

/** Who has clicked, and on what. */
type Clicked = Parameters<Parts['interactionLog']['decline']>[0];

const selfServiceIsOff: Text = say`Requests can’t be allowed with this button any more: the policy has changed. Your click did nothing. Type ${code('/appliance category add')} instead.`;

/** What a button says: for how long, in milliseconds, or for good. */
function allowedFor(detail: string | undefined): number | undefined | 'deny' {
  if (detail === 'deny') return 'deny';
  const lasts = /^for:([0-9]+)$/.exec(detail ?? '')?.[1];
  return lasts === undefined ? undefined : Number(lasts);
}

/** The change says why it was made; who asked stands above it on the card, but for people whom Slack does not know. */
const reasonFor = ({ row, content: { from } }: SiteRequest): string =>
  from.kind === 'slack' ? row.reason : `${row.reason} (block page, ${from.said})`.slice(0, 500);

const aboutOf = ({
  row,
  content,
}: SiteRequest): {
  readonly line: string;
  readonly phrase: string;
  readonly appliances: readonly string[];
} => ({
  line: `ask ${row.site}${content.from.kind === 'block_page' ? ' (from the block page)' : ''}`,
  phrase: askPhrase,
  appliances: row.appliances,
});
