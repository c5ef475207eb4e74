import type { Policy } from '../../auth/policy.ts';
import { forTicket, onWhat } from '../../handlers/audit/entries.ts';
import { marks } from '../../handlers/audit/history.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import {
  channel as channelSpan,
  code,
  enumerate,
  messageLink,
  person,
  plainText,
  say,
  type Text,
} from '../../handlers/reply.ts';
import { namesIn } from '../../journal/audit/about.ts';
import { heldOf } from '../../journal/audit/hash-chain.ts';
import { isChange } from '../../journal/audit/record.ts';
import type { Action, AuditRecord, Recorded, Recorder, ToSend } from '../../journal/journal.ts';
import { commandOver, outcomeUnknown, phaseOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';
import { shownIn } from '../base/stored.ts';
import { isWithheld } from '../showing/card.ts';
import { postOnce } from '../showing/messages.ts';
import { isDenial } from '../wording/faults.ts';
import { stateOf } from './state-said.ts';

/** Who makes traces of what is over. */
export interface TraceBook {
  readonly idOf: (action: string) => string;
  readonly over: (record: AuditRecord, earlier: AuditRecord | undefined) => void;
}

/** Makes records of what is over: the journal keeps it, and here it is known what it says. */
export function createRecorder(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  policy: () => Policy,
  log: Log,
  traces?: TraceBook,
): Recorder {
  return {
    commandOf: ({ phrase }) => {
      const command = commandByPhrase.get(phrase ?? '');
      return command && nameOf(command);
    },
    isDenied: ({ outcome, state }) =>
      (state === 'refused' || state === 'cancelled') && outcome !== undefined && isDenial(outcome.code),
    previewOf: (preview) => {
      const shown = shownIn(preview);
      if (shown === undefined) return { question: '(can no longer be read)', fields: [] };
      const { question, fields, start } = shown;
      return {
        question: plainText(question),
        ...(start?.line !== undefined && { line: start.line }),
        fields: fields.map(({ name, value }) => ({ name, value: plainText(value) })),
      };
    },
    isWithheld: (action) => isWithheld(action, commandByPhrase.get(action.phrase ?? '')),
    aboutOf: (action) => aboutOf(action, isWithheld(action, commandByPhrase.get(action.phrase ?? ''))),
    announce: (recorded, earlier) => announce(policy(), recorded, earlier),
    traceOf: traces?.idOf,
    recorded: (record, earlier) => {
      tellLog(log, record, earlier);
      traces?.over(record, earlier);
    },
  };
}

/** What an action is about: what was typed, and what that was found to be, unless its asker may not know. */
function aboutOf(action: Action, isHidden: boolean): readonly string[] {
  const shown = action.preview === undefined || isHidden ? undefined : shownIn(action.preview);
  // Arguments went into the journal as JSON (`base/stored.ts`).
  const found = shown?.targets.map(({ args }) => args as never) ?? [];
  // What was refused was not read any further than to the command.
  return namesIn(action.args, ...found, ...(action.state === 'refused' ? action.line.split(/\s+/) : []));
}

/** Tells the log of what is over, once; and again where that turns out otherwise, as an outcome that was unknown. */
function tellLog(log: Log, record: AuditRecord, earlier: AuditRecord | undefined): void {
  if (record.state === earlier?.state) return;
  const { action, channel, person, appliances, outcome } = record;
  const about = {
    action,
    channel,
    person,
    appliances,
    command: record.command ?? undefined,
    code: outcome?.code,
  };
  log.tell(commandOver, {
    ...about,
    effect: record.effect ?? undefined,
    outcome: record.state,
    durationMs: Date.parse(record.ended) - agreedAt(record),
  });
  if (record.state === 'unknown') log.tell(outcomeUnknown, about);
  if (earlier === undefined) for (const phase of phasesIn(record)) log.tell(phaseOver, { action, ...phase });
}

/** What it was at while it ran: what was ordered, and then read back. */
function phasesIn({ requests, effect, ended, verification }: AuditRecord) {
  const orders = requests.filter((one) => one.effect !== 'read');
  if (!isChange(effect) || orders.length === 0) return [];
  const ends = orders.map(({ at }) => Date.parse(at));
  const begins = orders.map(({ durationMs }, index) => (ends[index] ?? 0) - durationMs);
  const answered = Math.max(...ends);
  const order = { phase: 'order', durationMs: answered - Math.min(...begins) };
  return verification === null || verification === 'accepted'
    ? [order]
    : [order, { phase: 'verification', durationMs: Math.max(0, Date.parse(ended) - answered) }];
}

/** Since when the bot was at it: what waits for a click, or for other people, is not its own time. */
function agreedAt({ asked, approvals, earlierPreviews }: AuditRecord): number {
  const moments = [asked, ...approvals.map(({ at }) => at), ...earlierPreviews.map(({ at }) => at)];
  return Math.max(...moments.map((moment) => Date.parse(moment)));
}

/**
 * The line that the audit channel gets of a change that is over, or was refused: one, also where several replicas work.
 * Another one only when it has turned out to have ended otherwise.
 */
function announce(policy: Policy, recorded: Recorded, earlier: AuditRecord | undefined): readonly ToSend[] {
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
function lineOf(record: AuditRecord, number: string, _policy: Policy): Text {
  const { person: asker, approvals, outcome, state } = record;
  const line = record.preview?.line ?? record.line;
  const approvers = approvals.filter(({ counts }) => counts);
  const approved =
    approvers.length === 0 ? [] : say`, approved by ${enumerate(approvers.map((one) => person(one.person)))}`;
  const says = outcome?.headline ?? outcome?.says ?? state;
  const ended = /[.!?…]$/.test(says) ? says : `${says}.`;
  return say`${marks[stateOf(record)]} ${person(asker)}: ${code(line)}${onWhat({ ...record, line })}${forTicket({ ticket: record.ticket ?? undefined })}${approved}. ${recalled(ended, outcome?.named)} In ${placeOf(record)}, record ${code(number)}`;
}

/** Where to read on. */
const placeOf = ({ channel, card }: AuditRecord): Text =>
  card === null
    ? say`${channelSpan(channel)}`
    : say`${channelSpan(channel)} (${messageLink('thread', channel, card)})`;
