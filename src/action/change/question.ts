import type { AnyChange } from '../../handlers/command.ts';
import { code, plainText, say } from '../../handlers/reply.ts';
import { newId } from '../../journal/id.ts';
import type { Action } from '../../journal/journal.ts';
import type { Listener } from '../base/chat.ts';
import { type Consent, consentToStore } from '../base/consent.ts';
import { type Shown, shownOf, shownToStore, type Target, targetsIn, withSources } from '../base/stored.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { type ResolutionOn, targetsAmong } from '../lookup/lookup.ts';
import type { Whisper } from '../showing/present.ts';
import { showLooks } from '../showing/previews.ts';
import { identityIn, otherAmong } from '../target/identity.ts';
import { faultIn, isSame, previewOn, resolvedFrom, type TargetPreview } from '../target/target.ts';
import { explain, reasonFor } from '../wording/faults.ts';
import { withEnd, withStart } from './temporary.ts';

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

/**
 * A new question, which nothing that was agreed to before says anything to (`ActionStore.move`). Without `shown`, the same is asked
 * again. `limits`: what it is about, where that is not `shown` anew.
 */
export function newQuestion(
  at: number,
  shown: Shown | undefined,
  consent: Consent | undefined,
  limits: Shown | undefined = shown,
) {
  // What is planned is confirmed in time, or not at all.
  const open = at + (consent?.open ?? lifetime);
  const { start, temporary } = limits ?? {};
  const expiresAt = Math.min(
    // Until its time others may agree to it.
    consent === undefined ? open : Math.max(open, start?.at ?? open),
    start?.latest ?? Number.POSITIVE_INFINITY,
    // Nobody can agree any more to what would be over at once.
    (temporary?.early ? undefined : temporary?.until) ?? Number.POSITIVE_INFINITY,
  );
  return {
    token: newId(),
    expiresAt,
    ...(consent !== undefined && { consent: consentToStore(consent) }),
    ...(shown !== undefined && { preview: shownToStore(shown) }),
  };
}

/** What would be hit, as it is now. */
export function previewOf(
  { appliances, contexts }: Pick<Parts, 'appliances' | 'contexts'>,
  approved: Action,
  command: AnyChange,
  targets: readonly Target[] = targetsIn(approved),
): Promise<readonly TargetPreview[]> {
  return Promise.all(
    targets.map(async (target): Promise<TargetPreview> => {
      const appliance = appliances.get(target.appliance);
      if (appliance === undefined) throw new Error(`${target.appliance} is not connected`);
      const resolved = resolvedFrom(target, appliance);
      const context = contexts.asking(approved, resolved);
      return previewOn(command, resolved, context, identityIn(target.fingerprint));
    }),
  );
}

/** Why what was agreed to would hit something else on an appliance by now. */
export async function whyChanged(
  parts: Pick<Parts, 'appliances' | 'contexts'>,
  agreed: Action,
  command: AnyChange,
  name: string,
): Promise<string | undefined> {
  const then = targetsIn(agreed).filter(({ appliance }) => appliance === name);
  const looks = await previewOf(parts, agreed, command, then);
  const shown = showLooks(command, looks);
  if (shown !== undefined && isSame(then, shown.targets)) return undefined;
  const why =
    shown === undefined
      ? plainText(reasonFor(faultIn(looks)))
      : plainText(
          otherAmong(then, shown.targets) ?? say`It would now affect something else than what was confirmed.`,
        );
  return `Something else was changed between the last look and its turn, so this was not sent. ${why}`;
}

/** The same as people are shown it, beside what was shown before. */
export function shownNow(
  approved: Action,
  command: AnyChange,
  looks: readonly TargetPreview[],
  now: number,
): Shown | undefined {
  const { left, sources, temporary, start, targets = [] } = shownOf(approved) ?? {};
  const lastsThen = ({ appliance }: Target) =>
    targets.find((one) => one.appliance === appliance)?.lasts ?? 'forGood';
  const bare = showLooks(command, looks, left);
  const looked = bare && withSources(bare, sources);
  return looked && withStart(withEnd(looked, temporary, now, lastsThen), start);
}

/** What those who could approve it are shown, alone, of what cannot be done. It stands for no preview that there will be. */
export function showObstacles(
  { line }: Action,
  command: AnyChange,
  resolutions: readonly ResolutionOn[],
  looks: readonly TargetPreview[],
): Shown {
  return {
    question: say`${code(line)}`,
    fields: looks.flatMap((one) =>
      one.kind === 'ready' ? [] : [{ name: one.appliance, value: explain(one.fault).headline }],
    ),
    targets: targetsAmong(command, resolutions).targets.map((target) => ({
      ...target,
      fingerprint: { nothing: true },
    })),
  };
}
