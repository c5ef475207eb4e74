import { z } from 'zod';
import { type ApplianceFailure, Refused } from '../../api/index.ts';
import type { Fingerprint } from '../../handlers/results.ts';
import type { NotedEvent } from '../../journal/actions/events.ts';
import { codec, optional } from '../../journal/codec.ts';
import { allNoted, answered, repliesOf } from '../base/request-log.ts';

/** What became of the order itself, before anybody looked whether it was carried out. */
export type Order =
  /** The appliance said yes. `launched`: and that it has only begun. */
  | { readonly kind: 'accepted'; readonly launched?: true }
  /** The appliance answered, but said neither yes nor no. */
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'failed'; readonly failure: ApplianceFailure }
  /** The bot was stopped between writing its intent down and hearing of the outcome. */
  | { readonly kind: 'interrupted' }
  /** It was not known what became of it, and it is looked at once more. */
  | { readonly kind: 'open' }
  /** A mistake of ours came between the two. */
  | { readonly kind: 'stumbled' };

/** What an appliance answered to the whole order, so that a crash while it is read back does not lose it. */
interface NotedAnswer {
  readonly appliance: string;
  readonly order: 'accepted' | 'launched' | 'unconfirmed' | 'refused' | 'uncertain';
  /** Why it refused. */
  readonly reason?: string;
  /** Of which operation the refusal is. */
  readonly operation?: string;
  /** What its answer told for reading back. */
  readonly learned: Fingerprint;
  /** Its own words. */
  readonly replies: readonly string[];
}

const answers = codec<NotedAnswer>(
  z.object({
    appliance: z.string(),
    order: z.enum(['accepted', 'launched', 'unconfirmed', 'refused', 'uncertain']),
    reason: optional(z.string()),
    operation: optional(z.string()),
    learned: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    replies: z.array(z.string()),
  }),
);

/** Where nothing was said, there is nothing to be noted. */
export function noteAnswer(appliance: string, order: Order, learned: Fingerprint = {}): void {
  const about = { appliance, learned, replies: repliesOf(appliance) };
  if (order.kind === 'accepted') {
    answered(answers.store({ ...about, order: order.launched ? 'launched' : 'accepted' }));
  } else if (order.kind === 'unconfirmed') {
    answered(answers.store({ ...about, order: order.kind }));
  } else if (order.kind === 'failed' && order.failure instanceof Refused) {
    const { reason, operation } = order.failure;
    answered(answers.store({ ...about, order: 'refused', reason, operation }));
  } else if (about.replies.length > 0) {
    answered(answers.store({ ...about, order: 'uncertain' }));
  }
}

/** What was found right before an order, for reading back and for its undo. Nothing is sent before this is written down. */
export async function noteSurvey(appliance: string, learned: Fingerprint): Promise<void> {
  answered(answers.store({ appliance, order: 'uncertain', learned, replies: [] }));
  await allNoted();
}

/** What is known of the order on an appliance from before a crash. */
export function answerIn(
  events: readonly NotedEvent[],
  appliance: string,
): { readonly order: Order; readonly learned: Fingerprint; readonly replies: readonly string[] } {
  const noted = events
    .flatMap(({ kind, content }) => (kind === 'answered' ? (answers.read(content) ?? []) : []))
    .findLast((one) => one.appliance === appliance);
  if (noted === undefined) return { order: { kind: 'interrupted' }, learned: {}, replies: [] };
  const { learned, replies } = noted;
  return { order: orderOf(noted), learned, replies };
}

function orderOf({ order, reason = '', operation = '' }: NotedAnswer): Order {
  switch (order) {
    case 'refused':
      return { kind: 'failed', failure: new Refused(reason, { operation, sent: 'yes' }) };
    case 'launched':
      return { kind: 'accepted', launched: true };
    case 'uncertain':
      return { kind: 'interrupted' };
    default:
      return { kind: order };
  }
}

/** Nothing at all was heard of it. */
export const isLost = ({ kind }: Order): boolean => kind === 'interrupted' || kind === 'open';

/** It said no. That is no proof that nothing was done (field notes), but a good reason to think so. */
export const wasRefused = (order: Order): boolean =>
  order.kind === 'failed' && !order.failure.mayHaveHappened;

/** An order that was answered will not be carried out later on; one that was lost on the way may. */
export function wasAnswered(order: Order): boolean {
  if (isLost(order) || order.kind === 'stumbled') return false;
  return order.kind !== 'failed' || order.failure.sent === 'yes';
}
