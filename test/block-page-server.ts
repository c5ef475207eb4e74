import { onTestFinished } from 'vitest';
import type { OpenedRequest, RequestState } from '../src/action/ask/request-state.ts';
import type { Wish } from '../src/action/ask/site-requests.ts';
import { readProxies } from '../src/block-page/address.ts';
import { linkToken } from '../src/block-page/link.ts';
import { createTokens } from '../src/block-page/page-tokens.ts';
import { createBlockPage } from '../src/block-page/server.ts';
import { createLog } from '../src/telemetry/log.ts';
import { formIn, pageVisitor } from './block-page-visitor.ts';
import { freePort } from './free-port.ts';

/** By which its links are signed. */
export const blockPageSecret = 'the secret of this test, long enough';
const secrets = [blockPageSecret];

const hour = 60 * 60_000;
const begin = 1_700_000_000_000;

/** A waiting request with these changes. */
export function askedFor({
  id = 'r-1',
  site = 'news.example',
  lasts = 2 * hour,
  reason = 'customer call',
  ...more
}: Partial<RequestState> & {
  readonly site?: string;
  readonly lasts?: number | undefined;
  readonly reason?: string;
} = {}): RequestState {
  const wish = { from: { kind: 'block_page', said: 'Bob' }, lasts, reason, at: begin } as const;
  return {
    ...{
      id,
      request: { site, time: { lasts }, wishes: [wish], findings: [] },
      wish,
      state: 'open',
      says: [],
    },
    ...{ expiresAt: begin + hour, until: undefined, because: undefined, ...more },
  };
}

interface Settings {
  /** The port; a free one by default. */
  readonly port?: number;
  /** The address for browsers; by default that of its port. */
  readonly url?: string;
  /** Proxies whose word about addresses is taken. */
  readonly trusted?: string;
}

/** The port for block pages, and behind it requests that are only written down. Ends with the test. */
export async function serveBlockPage(settings: Settings = {}) {
  let now = begin;
  const wishes: Wish[] = [];
  const states = new Map<string, RequestState>();
  const lines: string[] = [];
  /** The outcome of the next request. */
  const outcome: { next: (taken: Extract<OpenedRequest, { request: unknown }>) => Promise<OpenedRequest> } = {
    next: async (taken) => taken,
  };
  const port = settings.port ?? (await freePort());
  const tokens = createTokens(secrets);
  const url = new URL(settings.url ?? `http://127.0.0.1:${port}`);
  const trustedProxies = readProxies(settings.trusted ?? '');
  if (trustedProxies === undefined) throw new Error('These are no addresses');
  const server = createBlockPage({
    settings: { url, host: '127.0.0.1', port, secrets, trustedProxies },
    requests: {
      open: async (wish) => {
        wishes.push(wish);
        const request = askedFor({
          ...{ id: `r-${wishes.length}`, site: wish.site, lasts: wish.lasts, reason: wish.reason },
        });
        states.set(request.id, request);
        return outcome.next({ kind: 'opened', request });
      },
      stateOf: async (id) => states.get(id),
    },
    selfService: () => ({ appliances: ['hq'], longest: 8 * hour, forGood: false }),
    timeZone: () => 'UTC',
    now: () => now,
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    mostSockets: 50,
  });
  await server.start();
  onTestFinished(() => server.stop());
  const visitor = pageVisitor(port);
  const link = `/ask?link=${linkToken(tokens, 'hq')}&user=bob.miller&url=http://news.example/today`;
  return {
    ...visitor,
    ...{ port, link, tokens, wishes, states, lines, outcome, server },
    /** Opens the form, and resolves to its token. */
    show: async () => formIn((await visitor.call('GET', link)).text),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
