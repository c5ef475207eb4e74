import type { Span } from '../../handlers/reply.ts';
import type { Palette } from './palette.ts';

type TicketSpan = Extract<Span, { kind: 'ticket' }>;
type MessageSpan = Extract<Span, { kind: 'message' }>;

/** A message with the address that opens it. */
export interface LinkedMessage extends MessageSpan {
  readonly url: string;
}

/** A ticket with the address that opens it. */
export interface LinkedTicket extends TicketSpan {
  readonly url: string;
}

/** Where what is named opens. */
type Addresses = Pick<Palette, 'workspace' | 'ticketAt'>;

/**
 * What is said, with the address of every message that it names (`messageLink`): `https://acme.slack.com/archives/C1/p…`.
 * `workspace` is what Slack calls the workspace's `url`; without one, messages are only named. So are tickets, where the policy does
 * not say where they open. Only here an address comes into a text: one that stands in it already is thrown away.
 */
export function linked<Value>(value: Value, addresses: Addresses): Value {
  // Replies are plain JSON (`handlers/reply.ts`), and every value becomes one of the same shape.
  return follow(value, addresses) as Value;
}

function follow(value: unknown, addresses: Addresses): unknown {
  if (Array.isArray(value)) return value.map((one) => follow(one, addresses));
  if (typeof value !== 'object' || value === null) return value;
  if (isMessage(value)) return link(value, addresses.workspace);
  if (isTicketSpan(value)) return ticketLinked(value, addresses.ticketAt);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, follow(one, addresses)]));
}

const isMessage = (value: object): value is MessageSpan => 'kind' in value && value.kind === 'message';

const isTicketSpan = (value: object): value is TicketSpan => 'kind' in value && value.kind === 'ticket';

function ticketLinked(
  { kind, text }: TicketSpan,
  ticketAt: Addresses['ticketAt'],
): TicketSpan | LinkedTicket {
  const url = ticketAt?.(text);
  return { kind, text, ...(url !== undefined && { url }) };
}

function link(
  { kind, channel, ts, label }: MessageSpan,
  workspace: string | undefined,
): MessageSpan | LinkedMessage {
  const message: MessageSpan = { kind, channel, ts, label };
  // Both are parts of an address, so they are nothing but what Slack makes them of.
  const isSound = /^[A-Z0-9]+$/.test(channel) && /^\d+\.\d+$/.test(ts);
  if (workspace === undefined || !isSound) return message;
  return { ...message, url: new URL(`/archives/${channel}/p${ts.replace('.', '')}`, workspace).href };
}
