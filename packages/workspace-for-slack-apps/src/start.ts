import { startWorkspace as startInside } from '../../../sandbox/workspace/server.ts';
import { transcript } from '../../../sandbox/workspace/transcript.ts';
import type { Workspace as Inside } from '../../../sandbox/workspace/workspace.ts';
import { badDaysOf } from './bad-days.ts';
import { channelChange, personChange } from './changes.ts';
import { namesIn } from './names.ts';
import type { WorkspaceOptions } from './options.ts';
import { page } from './page.ts';
import { patientPerson } from './person.ts';
import { readOptions } from './read-options.ts';
import type { Workspace } from './workspace.ts';

/**
 * Starts a workspace on 127.0.0.1, with this app installed.
 * @throws TypeError for an option that there is not, and for a manifest that Slack would not take
 */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { patienceMs = 5000, clock: now = Date.now, ackTimeoutMs = 3000 } = options;
  const inside = await startInside({ ...readOptions(options), page });
  const names = namesIn(inside);
  return {
    ...{ url: inside.url, apiUrl: inside.apiUrl, botToken: inside.botToken, appToken: inside.appToken },
    ...{ signingSecret: inside.signingSecret, teamId: inside.teamId, appId: inside.appId },
    botUserId: inside.botUserId,
    person: (name) => patientPerson(inside, names, name, patienceMs, now),
    channel: (name) => {
      const { id, name: called } = names.channel(name);
      return { id, name: called };
    },
    userGroup: (called) => {
      const { id, handle } = names.userGroup(called);
      return { id, handle };
    },
    badDays: badDaysOf(inside),
    connected: (timeoutMs = 30_000) => connected(inside, timeoutMs),
    useRequestUrl: (url) => inside.useRequestUrl(url),
    changePerson: async (name, change) => inside.changePerson(names.person(name).id, personChange(change)),
    changeChannel: async (name, change) => {
      const room = names.channel(name);
      return inside.changeChannel(room.id, channelChange(change, room, names, inside.botUserId));
    },
    changeUserGroup: async (handle, members) =>
      inside.changeUserGroup(names.userGroup(handle).id, {
        users: members.map((one) => names.person(one).id),
      }),
    emit: async (event) => void (await inside.emit(event)),
    quiet: (ms = 100) => quiet(inside, ms, ackTimeoutMs),
    transcript: (channel) => {
      const id = channel === undefined ? undefined : names.channel(channel).id;
      return transcript(seenByAll(inside), id, { now: now() });
    },
    calls: (method) =>
      inside.log.calls(method).map((call) => ({
        ...call,
        args: Object.fromEntries(Object.entries(call.args).map(([name, value]) => [name, parsed(value)])),
      })),
    deliveries: () =>
      inside.log.envelopes().map(({ id, kind, what, ackedAt, late }) => ({
        ...{ id, kind, what },
        acknowledged: ackedAt === undefined ? 'no' : late === true ? 'late' : 'in time',
      })),
    close: () => inside.stop(),
  };
}

/** Slack's tools send blocks and views as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

async function connected(inside: Inside, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (inside.sockets.ready === 0) {
    if (performance.now() >= until) throw new Error(`The app has not connected within ${timeoutMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Polls, because some changes by a call or an acknowledgement raise no event. */
async function quiet(inside: Inside, ms: number, ackTimeoutMs: number): Promise<void> {
  const begun = performance.now();
  const isQuiet = (): boolean => {
    const now = performance.now();
    const open = inside.log
      .envelopes()
      .some(({ ackedAt, sentAt }) => ackedAt === undefined && now - sentAt < ackTimeoutMs);
    const last = Math.max(
      ...[begun, inside.log.calls().at(-1)?.at ?? 0],
      ...inside.log.envelopes().map(({ ackedAt }) => ackedAt ?? 0),
    );
    return !open && now - last >= ms;
  };
  while (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Everybody's messages, and each one's private ones. */
function seenByAll(inside: Inside) {
  const all = inside.people.filter(({ isBot }) => !isBot).map(({ id }) => inside.snapshot(id));
  const [first] = all;
  if (first === undefined) throw new Error('There is nobody in this workspace.');
  const messages = new Map(
    all.flatMap((seen) => seen.messages.map((one) => [`${one.channel} ${one.ts} ${one.ephemeral_to}`, one])),
  );
  return {
    ...first,
    people: [...new Map(all.flatMap((seen) => seen.people.map((one) => [one.id, one]))).values()],
    channels: [...new Map(all.flatMap((seen) => seen.channels.map((one) => [one.id, one]))).values()],
    messages: [...messages.values()].sort((one, other) => (one.ts < other.ts ? -1 : 1)),
  };
}
