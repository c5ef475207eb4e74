import { once } from 'node:events';
import { type Dispatcher, WebSocket } from 'undici';
import { connectionsEach } from '../../src/bot/connection/socket-inlet.ts';
import type { Environment } from '../../src/config/secret.ts';
import { plural } from '../../src/handlers/reply.ts';
import { openStore } from '../journal/open-store.ts';
import { type Finding, note, right, wrong } from './finding.ts';

/** In milliseconds. */
const timeout = 10_000;

/**
 * Whether a WebSocket gets through, and how many others use the same app, as Slack tells every connection. The connection
 * closes at Slack's first message, so that it takes no command.
 */
export async function connections(
  address: string,
  dispatcher: Dispatcher,
  environment: Environment,
): Promise<Finding> {
  const all = await countedAt(address, dispatcher);
  if (all === undefined) {
    const { host } = new URL(address);
    return wrong(
      `Socket Mode: Slack did not say hello on a WebSocket to ${host}. Check that the proxy and the firewall let WebSockets (wss) through to wss-primary.slack.com and wss-backup.slack.com.`,
    );
  }
  const others = all - 1;
  if (others <= 0) return right('Socket Mode: no other program is connected with this app.');
  const open = `${plural(others, 'connection')} ${others === 1 ? 'is' : 'are'} open with this app`;
  const bots = await botsIn(environment);
  if (bots !== undefined && bots > 0 && others <= bots * connectionsEach) {
    return right(`Socket Mode: ${open}, of ${plural(bots, 'bot')} on this journal.`);
  }
  const own = `A bot holds up to ${connectionsEach}, and ${
    bots === undefined ? 'the journal cannot be read' : `the journal has ${plural(bots, 'bot')}`
  }.`;
  const cure =
    'Slack spreads what people type over all connections. Stop the programs that are not this bot, or give each an app and tokens of its own.';
  // The others may be this very bot, on another machine.
  const isPossible = others <= Math.max(bots ?? 1, 1) * connectionsEach;
  return (isPossible ? note : wrong)(`Socket Mode: ${open}. ${own} ${cure}`);
}

/** How many connections Slack counts, this one among them; undefined where it does not say hello. */
async function countedAt(address: string, dispatcher: Dispatcher): Promise<number | undefined> {
  const socket = new WebSocket(address, { dispatcher });
  // The close event reports the error.
  socket.addEventListener('error', () => undefined);
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(timeout), endOf(socket)]);
    const [{ data }] = await once(socket, 'message', { signal });
    const { type, num_connections: count } = Object(JSON.parse(String(data)));
    return type === 'hello' ? Number(count ?? 1) : undefined;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

function endOf(socket: WebSocket): AbortSignal {
  const ended = new AbortController();
  socket.addEventListener('close', () => ended.abort(), { once: true });
  return ended.signal;
}

/** How many work on the journal, as far as it says; undefined where it cannot be read, or does not exist. */
async function botsIn(environment: Environment): Promise<number | undefined> {
  try {
    const store = await openStore(environment);
    try {
      return (await store.quick.selectFrom('replicas').select('id').execute()).length;
    } finally {
      await store.close();
    }
  } catch {
    return undefined;
  }
}
