import { say } from '../../handlers/reply.ts';
import { newId } from '../../journal/id.ts';
import type { Listener } from '../base/chat.ts';
import type { Consent } from '../base/consent.ts';
import { type Shown, shownToStore } from '../base/stored.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';
import type { Whisper } from '../showing/present.ts';

/** An appliance may be slow, and a file long. */
export function inView<Seen>(
  { after, whisper }: { readonly after: After; readonly whisper: Whisper },
  to: Listener,
  looking: Promise<Seen>,
): Promise<Seen> {
  const words = say`Still preparing the preview. No changes were made so far.`;
  return saidWhenSlow(after, () => whisper(to, { headline: words }), looking);
}

/** How long a card waits for the click of whoever asked, in milliseconds. */
const lifetime = 5 * 60_000;

/** A new question, which approvals of an earlier one say nothing to. Without `shown`, the same is asked again. */
export function newQuestion(at: number, shown: Shown | undefined, consent: Consent | undefined) {
  const expiresAt = at + (consent?.open ?? lifetime);
  return { token: newId(), expiresAt, ...(shown !== undefined && { preview: shownToStore(shown) }) };
}
