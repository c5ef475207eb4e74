import { z } from 'zod';
import { longestReason } from '../../auth/reason.ts';
import { plainText, say } from '../../handlers/reply.ts';
import { codec } from '../../journal/codec.ts';
import { createDenyForm } from '../approval/deny-form.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import type { SiteRequest } from '../requests/site-request.ts';
import { askerInWords, requestInWords } from '../requests/words.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { textProblem } from '../wording/misfits.ts';
import { tooLong } from '../wording/not-approved.ts';
import { aboutPress, type Declining } from './declining.ts';
import type { BarToDecide } from './may-decide.ts';
import type { MoveRequest } from './moving.ts';
import { lastWords, toldOf } from './telling.ts';

/** Deny: a form asks why, and whoever asked reads that. */
export interface Denying {
  readonly askWhy: (press: Press, request: SiteRequest) => Promise<void>;
  /** Takes the form that asks why something is denied. Undefined when the submission is of another one. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
}

export interface DenyingParts extends Parts {
  readonly move: MoveRequest;
  readonly bar: BarToDecide;
  readonly declining: Declining;
  readonly read: (id: string) => Promise<SiteRequest | undefined>;
}

/** What is kept of the form that asks why. */
interface DeniedRequest {
  readonly holds: 'deny request form';
  readonly request: string;
}

const deniedRequests = codec<DeniedRequest>(
  z.object({ holds: z.literal('deny request form'), request: z.string() }),
);

export function createDenying(parts: DenyingParts): Denying {
  const { journal, whisper, interactionLog, move, bar, read, now } = parts;
  const denyForm = createDenyForm(parts, deniedRequests, {
    example: 'not for work; ask your team lead',
    problemIn: (reason) => (reason.length > longestReason ? tooLong(reason) : textProblem(reason)),
  });
  const { decline, tooLate } = parts.declining;

  return {
    askWhy: async (press, request) => {
      const why = await bar(press, request);
      if (why !== undefined) return decline(press, 'Deny', request, inTheirWords(why));
      const isOpen = await denyForm.open(
        press,
        { holds: 'deny request form', request: request.row.id },
        say`${askerInWords(request.content.from)} asks for ${requestInWords(request)}. They read why you deny it, and so does everybody in the channel.`,
      );
      if (!isOpen) return decline(press, 'Deny', request, { code: 'form_not_opened', button: 'Deny' });
      await interactionLog.opened(press, aboutPress('Deny', request), 'reason');
    },

    submit: (submission) =>
      denyForm.submit(submission, ({ request }, by, reason) => deny(request, by, reason)),
  };

  async function deny(
    id: string,
    by: Pick<Press, 'team' | 'person' | 'channel'>,
    reason: string,
  ): Promise<void> {
    const request = await read(id);
    const press = { ...by, button: 'request' } as const;
    if (request === undefined) return whisper(by, explain({ code: 'card_gone' }));
    if (request.row.state !== 'open') return tooLate(press, 'Deny', request);
    // Their role may be gone since the form was opened.
    const why = await bar(by, request);
    if (why !== undefined) return decline(press, 'Deny', request, inTheirWords(why));
    const { row, content } = request;
    const says = say`${reason}`;
    const ending = { kind: 'denied', at: now(), by: by.person, says } as const;
    const closed = await move(
      row,
      { ...content, ending },
      { state: 'closed', messages: (one) => toldOf(one, lastWords(one, now())) },
    );
    if (closed === undefined) return tooLate(press, 'Deny', (await read(id)) ?? request);
    // Who it was stands beside it.
    const outcome = { code: 'request_denied', says: plainText(say`Denied: ${says}`) };
    await journal.write({ ...by, ...aboutWritten(request), state: 'done', outcome });
  }
}

/** What they lack is the right for what Allow does, which they have not pressed. */
const inTheirWords = (why: Awaited<ReturnType<BarToDecide>> & object) =>
  'code' in why
    ? {
        ...explain(why as Fault),
        headline: say`Only those who may allow a site can decide on requests. Your click did nothing. ${explain(why as Fault).headline}`,
      }
    : why;

const aboutWritten = (request: SiteRequest) => {
  const { line, phrase, appliances } = aboutPress('Deny', request);
  return { line, phrase, appliance: appliances.join(',') };
};
