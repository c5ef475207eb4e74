/** Ends remote-desktop sessions that have been open for too long. Somebody runs it every evening. */

export interface Gateway {
  /** Such as `https://10.20.0.2:9503`. */
  readonly url: string;
  readonly key: string;
  /** Milliseconds for an answer. */
  readonly patience?: number;
}

export interface Evening {
  /** Sessions that are gone, as read back. */
  readonly ended: readonly string[];
  /** Sessions that are still there. */
  readonly left: readonly string[];
}

/** @throws Error if the sessions cannot be listed: nothing was done, or the result is unknown */
export async function endLongSessions(gateway: Gateway, hours: number, now = new Date()): Promise<Evening> {
  const longest = now.getTime() - hours * 3_600_000;
  const long = (await sessionsOf(gateway)).filter(({ startedAt }) => startedAt.getTime() < longest);
  for (const { id } of long) {
    // Ignores the answer: only the list shows whether it happened.
    await ask(gateway, 'POST', `/rdpproxy/sessions/${id}/disconnect`).catch(() => undefined);
  }
  const still = new Set(long.length === 0 ? [] : (await sessionsOf(gateway)).map(({ id }) => id));
  return {
    ended: long.filter(({ id }) => !still.has(id)).map(({ user }) => user),
    left: long.filter(({ id }) => still.has(id)).map(({ user }) => user),
  };
}

async function sessionsOf(gateway: Gateway) {
  const reply = await ask(gateway, 'GET', '/rdpproxy/sessions');
  const sessions = reply.Sessions ?? [];
  if (!Array.isArray(sessions)) throw new Error('The gateway sent no list of sessions.');
  // Some appliances write numbers as text.
  return sessions.map((one) => ({
    id: Number(one.id),
    user: String(one.username),
    startedAt: new Date(one.started_at),
  }));
}

/** HTTP 200 says nothing, because refusals have it too. */
async function ask({ url, key, patience = 10_000 }: Gateway, method: string, path: string) {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-Auth-Token': key },
    signal: AbortSignal.timeout(patience),
  });
  if (!response.ok) throw new Error(`The gateway answers HTTP ${response.status}.`);
  const reply = JSON.parse(await response.text());
  if (reply.Status !== true) throw new Error(reply.Error || reply.info || 'The gateway refuses.');
  return reply;
}
