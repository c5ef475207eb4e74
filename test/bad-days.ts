import type { Fault } from '../sandbox/workspace/faults.ts';
import { type Conversation, converse } from './conversation.ts';

/** The days on which Slack does not do what it is asked, and what somebody is told on them. */

const minute = 60_000;

/** What is asked of Slack to tell somebody something. */
const telling = [
  ...['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'response_url', 'views.open'],
  ...['files.getUploadURLExternal', 'files.completeUploadExternal', 'upload'],
];

export const days: Readonly<Record<string, Fault>> = {
  'the token is refused': { kind: 'error', error: 'invalid_auth' },
  'Slack is in trouble': { kind: 'error', error: 'internal_error' },
  'Slack times out': { kind: 'error', error: 'request_timeout' },
  'a code that nobody knows': { kind: 'error', error: 'a_code_of_next_year' },
  'a page in HTML with status 200': { kind: 'page' },
  'status 503': { kind: 'http', status: 503 },
  'status 429': { kind: 'rate_limited', retryAfter: 30 },
  'the connection breaks before the call': { kind: 'close', when: 'before' },
  'the answer is lost after the delivery': { kind: 'close', when: 'after' },
};

export interface Flow {
  /** What happens before the bad day. */
  readonly before?: (house: Conversation) => Promise<unknown>;
  /** What somebody does on it; whoever is told of it may be somebody else. */
  readonly act: (house: Conversation) => Promise<unknown>;
  readonly told: string;
  /** What is in their words, and once. */
  readonly words: RegExp;
}

export const flows: Readonly<Record<string, Flow>> = {
  'a lookup': {
    act: ({ type }) => type('/appliance categorize example.com'),
    ...{ told: 'alice', words: /example\.com is in/g },
  },
  'a private answer': {
    act: ({ type }) => type('/appliance whoami'),
    ...{ told: 'alice', words: /@alice has the viewer/g },
  },
  'a refusal': {
    act: ({ type }) => type('/appliance acl object disable google_sni'),
    ...{ told: 'alice', words: /requires the/g },
  },
  'a line not understood': {
    act: ({ type }) => type('/appliance frobnicate'),
    ...{ told: 'alice', words: /Unknown command/g },
  },
  'a form': {
    act: ({ type }) => type('/appliance category add', 'bob'),
    ...{ told: 'bob', words: /could not be opened|couldn’t be opened|needs/g },
  },
  'a card': {
    act: ({ type }) => type('/appliance rdp disconnect 12'),
    ...{ told: 'alice', words: /`\/appliance rdp disconnect 12`/g },
  },
  'a refused click': {
    before: ({ type }) => type('/appliance rdp disconnect 12'),
    act: ({ press }) => press('Disconnect', 'gus'),
    ...{ told: 'gus', words: /Only @alice, who asked/g },
  },
  'an outcome': {
    before: ({ type }) => type('/appliance rdp disconnect 12'),
    act: ({ press }) => press('Disconnect'),
    ...{ told: 'alice', words: /✅ Session 12/g },
  },
  'an undo': {
    before: ({ type }) => type('/appliance acl object disable google_sni', 'bob'),
    act: ({ press }) => press('Undo', 'bob'),
    ...{ told: 'bob', words: /Undone by @bob|❌ Slack rejected/g },
  },
  'an approval': {
    before: ({ type }) =>
      type('/appliance emergency enable --for 30m --reason "directory down"', 'bob', 'incident'),
    act: ({ press }) => press('Approve', 'carol', 'incident'),
    ...{ told: 'bob', words: /🚨 Emergency mode ON/g },
  },
  'a file': {
    before: ({ type }) => type('/appliance acl objects'),
    act: ({ press }) => press('CSV'),
    ...{ told: 'alice', words: /25 rows of/g },
  },
};

/** Lives through one flow on one bad day of three minutes. */
export async function live(day: string, flow: Flow, extra: Parameters<typeof converse>[0] = {}) {
  const house = await converse(extra);
  await flow.before?.(house);
  const channel = flow.words.source.includes('Emergency') ? 'incident' : 'helpdesk';
  const reading = () => [house.read(flow.told, channel), house.read(flow.told, 'appliance-bot')].join('\n');
  /** What is said once more says that it may have been seen: then it is the same message. */
  const count = () => {
    const messages = reading().split(/\n(?=appliance-bot)/);
    const [repeated = [], first = []] = [true, false].map((isRepeated) =>
      messages.filter((one) => one.includes('You may have seen this before') === isRepeated),
    );
    const countIn = (some: readonly string[]) => some.join('\n').match(flow.words)?.length ?? 0;
    return Math.max(countIn(first), countIn(repeated));
  };
  const { faults } = house.workspace;
  const fault = days[day];
  if (fault === undefined) throw new Error(`Nobody knows the day ${day}`);
  for (const call of telling) faults.next(call, fault, Number.POSITIVE_INFINITY);
  await flow.act(house);
  for (let waited = 0; waited < 3; waited += 1) await house.pass(minute);
  const during = count();
  faults.clear();
  for (let waited = 0; waited < 3; waited += 1) await house.pass(minute);
  return { house, during, after: count(), read: reading };
}
