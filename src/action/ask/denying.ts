import { z } from 'zod';
import { longestReason } from '../../auth/reason.ts';
import { showDomain } from '../../handlers/language/domain.ts';
import { plainText, type Reply, say } from '../../handlers/reply.ts';
import { codec } from '../../journal/codec.ts';
import { createDenyForm } from '../approval/deny-form.ts';
import { askPhrase } from '../authority/ways.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import type { SiteRequest } from '../requests/site-request.ts';
import { askerInWords, requestInWords, standingOf } from '../requests/words.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { textProblem } from '../wording/misread/misfits.ts';
import { tooLong } from '../wording/not-approved.ts';
import type { BarToDecide } from './may-decide.ts';
import type { MoveRequest } from './moving.ts';
import { lastWords, toldOf } from './telling.ts';

/** Which of its buttons was pressed. */
type RequestButton = 'Allow' | 'Deny';

/** Who has clicked, and on what. */
type Clicked = Parameters<Parts['interactionLog']['decline']>[0];

/** A click on a request that does nothing: whoever pressed is told why, and it is recorded like any other that was refused. */
export interface Declining {
  readonly decline: (
    press: Clicked,
    button: RequestButton,
    request: SiteRequest,
    why: Reply | Fault,
  ) => Promise<void>;
  /** Somebody else was first. */
  readonly tooLate: (press: Clicked, button: RequestButton, request: SiteRequest) => Promise<void>;
}

export function createDeclining({ interactionLog, now }: Pick<Parts, 'interactionLog' | 'now'>): Declining {
  const declining: Declining = {
    decline: (press, button, request, why) => {
      const refusal = 'code' in why ? why : ({ code: 'request_over', reply: why } as const);
      return interactionLog.decline(press, aboutPress(button, request), refusal);
    },
    tooLate: (press, button, request) =>
      declining.decline(press, button, request, {
        headline: say`${standingOf(request, now())}. Your click did nothing.`,
      }),
  };
  return declining;
}

/** What is recorded of a press: no line was typed, and whoever pressed has asked for nothing. */
const aboutPress = (
  button: RequestButton,
  { row }: Pick<SiteRequest, 'row'>,
): { readonly line: string; readonly phrase: string; readonly appliances: readonly string[] } => ({
  line: `(${button} on the request for ${showDomain(row.site)})`,
  phrase: askPhrase,
  appliances: row.appliances,
});

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
        say`${askerInWords(request.content.from)} asks for ${requestInWords(request, now())}. They read why you deny it, and so does everybody in the channel.`,
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
