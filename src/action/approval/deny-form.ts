import type { Codec } from '../../codec.ts';
import { say, type Text } from '../../handlers/reply.ts';
import type { Chat, Press, Submission, SubmissionResult } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { explain } from '../wording/faults.ts';

type Denier = Pick<Press, 'team' | 'person' | 'channel'>;

/** The form in which somebody says why they deny something; others read it. `About`: what is kept of what it is about. */
export interface DenyForm<About> {
  /** False where it could not be opened. */
  readonly open: (press: Press, about: About, explanation: Text) => Promise<boolean>;
  /** Takes it, and then denies. Undefined when the submission is of another one. */
  readonly submit: (
    submission: Submission,
    deny: (about: About, by: Denier, reason: string) => Promise<void>,
  ) => Promise<SubmissionResult | undefined>;
}

/** How long such a form may lie open, in milliseconds. */
const lifetime = 30 * 60_000;

/** `problemIn`: what is wrong with what was said, which is never nothing. */
export function createDenyForm<About>(
  { journal, chat, now }: Pick<Parts, 'journal' | 'now'> & { readonly chat: Pick<Chat, 'openForm'> },
  shape: Codec<About>,
  {
    example,
    problemIn,
  }: { readonly example: string; readonly problemIn: (reason: string) => Text | undefined },
): DenyForm<About> {
  return {
    open: async ({ channel, person, trigger }, about, explanation) => {
      const content = shape.store(about);
      const token = await journal.keep({ kind: 'form', content, person, channel, until: now() + lifetime });
      if (trigger === undefined) return false;
      const hint = `For example: ${example}`;
      return chat.openForm(trigger, {
        token,
        title: 'Deny',
        submit: 'Deny',
        explanation,
        inputs: [{ name: 'reason', label: 'Reason', hint, optional: false, kind: { is: 'line' } }],
      });
    },

    submit: async ({ team, person, token, entered }, deny) => {
      const kept = await journal.kept(token);
      const about = kept && shape.read(kept.content);
      if (kept === undefined || about === undefined) return undefined;
      if (kept.person !== person) return { kind: 'over', why: explain({ code: 'form_not_yours' }).headline };
      const reason = (entered.words.reason?.[0] ?? '').trim();
      const wrong = reason === '' ? say`This is required.` : problemIn(reason);
      if (wrong !== undefined) return { kind: 'problems', problems: { reason: wrong } };
      const { channel } = kept;
      return {
        kind: 'closed',
        listener: { channel, person },
        follow: () => deny(about, { team, person, channel }, reason),
      };
    },
  };
}
