import { createHmac } from 'node:crypto';
import { isNamed } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action, PendingWebhook } from '../../journal/journal.ts';
import { appliancesActedOn } from '../base/stored.ts';

/**
 * What is told of a change, as it is sent: the same with every try, however the change has gone on since. Of its arguments no
 * more than a record has of them: no secrets.
 */
export function bodyOf(
  { event, at, content }: Pick<PendingWebhook, 'event' | 'at' | 'content'>,
  action: Action,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
): string {
  const { id, ticket, line, phrase, effect, args, person, channel, team, plan, undoes, createdAt } = action;
  const command = commandByPhrase.get(phrase ?? '');
  return JSON.stringify({
    type: event,
    timestamp: new Date(at).toISOString(),
    data: {
      ...{ action: id, reference: referenceOf(id), ticket: ticket ?? null },
      ...{ line, command: command ? nameOf(command) : null, effect: effect ?? null, args: inText(args) },
      appliances: appliancesActedOn(action),
      ...{ requester: person, channel, team, asked: new Date(createdAt).toISOString() },
      ...(plan !== undefined && { plan }),
      ...(undoes !== undefined && { undoes }),
      ...content,
    },
  });
}

/** As people type it, whether it was looked up already or not: what has a number and a name goes by its number. */
function inText(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(inText);
  if (isNamed(args)) return String(args.id);
  if (typeof args === 'number') return String(args);
  return typeof args === 'object' && args !== null
    ? Object.fromEntries(Object.entries(args).map(([name, value]) => [name, inText(value)]))
    : args;
}

/** By Standard Webhooks: the key of the delivery, when it is sent, and a signature of both with the body by each secret. */
export function headersOf(
  { key }: Pick<PendingWebhook, 'key'>,
  body: string,
  keys: readonly Buffer[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = keys.map((secret) => {
    const digest = createHmac('sha256', secret).update(`${key}.${timestamp}.${body}`).digest('base64');
    return `v1,${digest}`;
  });
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'appliance-bot',
    'webhook-id': key,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
