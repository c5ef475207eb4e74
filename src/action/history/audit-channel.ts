import type { Policy } from '../../auth/policy.ts';
import { forTicket } from '../../handlers/audit/action-part.ts';
import { onWhat } from '../../handlers/audit/entries.ts';
import { marks } from '../../handlers/audit/history.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import {
  channel as channelSpan,
  code,
  enumerate,
  messageLink,
  person,
  say,
  type Text,
} from '../../handlers/reply.ts';
import { heldOf } from '../../journal/audit/hash-chain.ts';
import type { AuditRecord, Recorded, ToSend } from '../../journal/journal.ts';
import { postOnce } from '../showing/messages.ts';
import { knownIn } from './history.ts';
import { stateOf } from './state-said.ts';

/**
 * The line that the audit channel gets of a change that is over, or was refused: one, also where several replicas work.
 * Another one only when it has turned out to have ended otherwise.
 */
export function announce(
  policy: Policy,
  recorded: Recorded,
  earlier: AuditRecord | undefined,
): readonly ToSend[] {
  const { record } = recorded;
  const channel = policy.audit?.channel;
  if (channel === undefined || record.effect === null || record.effect === 'read') return [];
  if (earlier?.state === record.state) return [];
  // With it in the channel, whoever changes the journal has to change the channel as well.
  const held = heldOf(recorded);
  return [postOnce(`audit-${held}`, channel, { headline: lineOf(record, held, policy) })];
}

/** The record that a line of the audit channel is about, by the key of its message; `held` as it stands in the line. */
export function recordIn(
  key: string | undefined,
): { readonly seq: number; readonly digest: string; readonly held: string; readonly at: number } | undefined {
  const [, held = '', seq, digest = '', time = ''] =
    /^audit-((\d{1,15}):([0-9a-f]{24})@(\S{1,40}))$/.exec(key ?? '') ?? [];
  return seq === undefined ? undefined : { held, seq: Number(seq), digest, at: Date.parse(time) || 0 };
}

/** Who, what, where, how it ended, who agreed, and where to read on. */
function lineOf(record: AuditRecord, number: string, policy: Policy): Text {
  const { person: asker, approvals, outcome, state } = record;
  const line = record.preview?.line ?? record.line;
  const approvers = approvals.filter(({ counts }) => counts);
  const approved =
    approvers.length === 0 ? [] : say`, approved by ${enumerate(approvers.map((one) => person(one.person)))}`;
  const says = outcome?.headline ?? outcome?.says ?? state;
  const ended = /[.!?…]$/.test(says) ? says : `${says}.`;
  return say`${marks[stateOf(record)]} ${person(asker)}: ${code(line)}${onWhat({ ...record, line })}${forTicket({ ticket: record.ticket ?? undefined })}${approved}. ${recalled(ended, knownIn(record, policy))} In ${placeOf(record)}, record ${code(number)}`;
}

/** Where to read on. */
const placeOf = ({ channel, card }: AuditRecord): Text =>
  card === null
    ? say`${channelSpan(channel)}`
    : say`${channelSpan(channel)} (${messageLink('thread', channel, card)})`;
