import { NoSuchButton } from '../sandbox/person.ts';
import type { Fault } from '../sandbox/workspace/faults.ts';
import type { Acted } from '../sandbox/workspace/protocol.ts';
import { createLog } from '../src/telemetry/log.ts';
import { type Conversation, converse } from './conversation.ts';

/** Bad days of Slack, and the messages to people on them. */

const minute = 60_000;

/** Slack methods that tell somebody something. */
export const telling = [
  ...['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'response_url', 'views.open'],
  ...['files.getUploadURLExternal', 'files.completeUploadExternal', 'upload'],
];

/** A fault of every call that tells somebody something; or what becomes of the connections, while something is asked. */
type Day = Fault | ((sockets: Conversation['workspace']['sockets']) => void);

export const days: Readonly<Record<string, Day>> = {
  'the token is refused': { kind: 'error', error: 'invalid_auth' },
  'Slack is in trouble': { kind: 'error', error: 'internal_error' },
  'Slack times out': { kind: 'error', error: 'request_timeout' },
  'a code that nobody knows': { kind: 'error', error: 'a_code_of_next_year' },
  'a page in HTML with status 200': { kind: 'page' },
  'status 503': { kind: 'http', status: 503 },
  'status 429': { kind: 'rate_limited', retryAfter: 30 },
  'no answer': { kind: 'hang' },
  'the connection breaks before the call': { kind: 'close', when: 'before' },
  'the answer is lost after the delivery': { kind: 'close', when: 'after' },
  'all sockets are cut': (sockets) => sockets.drop(),
  'all sockets are renewed': (sockets) => sockets.disconnect(),
};

export interface Flow {
  /** Runs before the bad day. */
  readonly before?: (house: Conversation) => Promise<unknown>;
  /** Runs on it; somebody else may be told of the result. */
  readonly act: (house: Conversation) => Promise<Acted>;
  readonly told: string;
  /** The channel; #helpdesk by default. */
  readonly where?: string;
  /** Words of the message, which must appear once. */
  readonly words: RegExp;
  /** Or the form that says it by being open. */
  readonly form?: string;
}

const types =
  (line: string, by = 'alice', channel = 'helpdesk') =>
  ({ person }: Conversation) =>
    person(by).type(channel, `/appliance ${line}`);
const presses =
  (label: string, by = 'alice', channel = 'helpdesk') =>
  ({ person }: Conversation) =>
    person(by).press(channel, label);

export const flows: Readonly<Record<string, Flow>> = {
  'a lookup': {
    act: types('categorize example.com'),
    ...{ told: 'alice', words: /example\.com is in/g },
  },
  'a report': {
    act: types('status'),
    ...{ told: 'alice', words: /No problems found/g },
  },
  'a private answer': {
    act: types('whoami'),
    ...{ told: 'alice', words: /@alice has the viewer/g },
  },
  'a refusal': {
    act: types('acl object disable google_sni'),
    ...{ told: 'alice', words: /requires the/g },
  },
  'a line not understood': {
    act: types('frobnicate'),
    ...{ told: 'alice', words: /Unknown command/g },
  },
  'a form': {
    act: types('category add', 'bob'),
    ...{ told: 'bob', words: /needs a site/g, form: 'Category add' },
  },
  'a card': {
    act: types('rdp disconnect 12'),
    ...{ told: 'alice', words: /`\/appliance rdp disconnect 12`/g },
  },
  'a refused click': {
    before: types('rdp disconnect 12'),
    act: presses('Disconnect', 'gus'),
    ...{ told: 'gus', words: /Only @alice, who asked/g },
  },
  'an outcome': {
    before: types('rdp disconnect 12'),
    act: presses('Disconnect'),
    ...{ told: 'alice', words: /✅ Session 12/g },
  },
  'an undo': {
    before: types('acl object disable google_sni', 'bob'),
    act: presses('Undo', 'bob'),
    ...{ told: 'bob', words: /Undone by @bob|❌ Slack /g },
  },
  'an approval': {
    before: types('emergency enable --for 30m --reason "directory down"', 'bob', 'incident'),
    act: presses('Approve', 'carol', 'incident'),
    ...{ told: 'bob', where: 'incident', words: /🚨 Emergency mode on hq is on/g },
  },
  'an audit line': {
    act: types('acl object disable google_sni', 'bob'),
    ...{ told: 'alice', where: 'random', words: /@bob: acl object disable google_sni/g },
  },
  'a file': {
    before: types('acl objects'),
    act: presses('CSV'),
    ...{ told: 'alice', words: /26 rows of/g },
  },
};

/** The time of the message: during the day, or so many minutes after it. */
export type When = 'at once' | number | 'never';

/** Lives through one flow on one bad day of three minutes. */
export async function live(day: string, flow: Flow) {
  const fault = days[day];
  if (fault === undefined) throw new Error(`Nobody knows the day ${day}`);
  const logged: string[] = [];
  const house = await converse({
    policy: { audit: { channel: 'C0RANDOM01' } },
    world: {
      log: createLog('warn', { write: (line) => void logged.push(line) }),
      slackTiming: { posting: 300, asking: 300, answering: 300, secondSocket: 10 },
    },
  });
  await flow.before?.(house);
  logged.length = 0;
  const reading = () =>
    [flow.where ?? 'helpdesk', 'appliance-bot'].map((channel) => house.read(flow.told, channel)).join('\n');
  /** A repeated message says that it may have been seen: then it is the same message. */
  const count = () => {
    const messages = reading().split(/\n(?=appliance-bot)/);
    const [repeated = [], first = []] = [true, false].map((isRepeated) =>
      messages.filter((one) => one.includes('You may have seen this before') === isRepeated),
    );
    const countIn = (some: readonly string[]) => some.join('\n').match(flow.words)?.length ?? 0;
    const isOpen = flow.form !== undefined && house.person(flow.told).form()?.title === flow.form;
    return Math.max(countIn(first), countIn(repeated), isOpen ? 1 : 0);
  };
  const times = await (typeof fault === 'function'
    ? disturbed(house, flow, fault)
    : suffering(house, flow, fault));
  let when: When = count() > 0 ? 'at once' : 'never';
  house.workspace.faults.clear();
  for (let waited = 1; waited <= 3; waited += 1) {
    // As often as the bot looks at what waits, or nearly.
    for (let seconds = 0; seconds < 60; seconds += 5) await house.pass(5_000);
    if (when === 'never' && count() > 0) when = waited;
  }
  return { when, count: count(), times, read: reading, said: wordsOf(logged) };
}

async function suffering(house: Conversation, flow: Flow, fault: Fault): Promise<number> {
  for (const call of telling) house.workspace.faults.next(call, fault, Number.POSITIVE_INFINITY);
  await flow.act(house);
  for (let waited = 0; waited < 3; waited += 1) await house.pass(minute);
  return 1;
}

/** Slack shows the person that nothing was acknowledged, and they do it again. Resolves to how often it was done. */
async function disturbed(house: Conversation, flow: Flow, disturb: Exclude<Day, Fault>): Promise<number> {
  const { sockets } = house.workspace;
  const acting = flow.act(house);
  disturb(sockets);
  let times = 1;
  for (let acted = await acting; !acted.ok; times += 1) {
    while (sockets.count === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    acted = await flow.act(house).catch(hasHappened);
  }
  await house.pass(0);
  return times;
}

/** The bot heard of the click, and only its acknowledgement was lost: the button is gone. */
function hasHappened(error: unknown): Acted {
  if (error instanceof NoSuchButton) return { ok: true };
  throw error;
}

/** The sentences of the log, each once. */
const wordsOf = (logged: readonly string[]): readonly string[] => [
  ...new Set(logged.map((line) => String(JSON.parse(line).msg))),
];
