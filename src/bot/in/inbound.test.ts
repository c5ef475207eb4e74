import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { connect, helpdesk, start } from '../../../sandbox/workspace/testing.ts';
import { createLog } from '../../telemetry/log.ts';
import { createTakeLine, type Inbox, listen, type TypedInbox } from './inbound.ts';

test('changes of people, groups and channels are passed on by ID', async () => {
  const workspace = await start({ eventRetryDelaysMs: [] });
  const told: string[] = [];
  const inbox: Partial<Inbox> = {
    personChanged: (person) => told.push(person),
    groupChanged: (group) => told.push(group),
    channelChanged: (channel) => told.push(channel),
  };
  // Nothing is asked or clicked here, so the rest of the inbox is missing.
  await connect(workspace, (app) => listen(app, inbox as Inbox, createLog('silent')));
  await workspace.changePerson('U0ALICE001', { isGuest: true });
  await workspace.changeUserGroup('S0HELPDESK', { users: [] });
  await workspace.changeChannel(helpdesk, { isExtShared: true });
  await workspace.changeChannel('C0PARTNERS', { isExtShared: false });
  // A group reports two changes: its members, and itself.
  expect(told).toEqual(['U0ALICE001', 'S0HELPDESK', 'S0HELPDESK', helpdesk, 'C0PARTNERS']);
});

/** Lines that arrive while the journal is unusable, and their events in order. */
function taking({
  isFirst = true,
  isWritten = false,
  stored = Promise.resolve(),
}: {
  readonly isFirst?: boolean;
  readonly isWritten?: boolean;
  readonly stored?: Promise<void>;
} = {}) {
  const happened: string[] = [];
  const answer = Promise.withResolvers<void>();
  const secured = Promise.withResolvers<void>();
  const inbox: TypedInbox = {
    ask: async () => {
      await answer.promise;
      happened.push('answered');
    },
    isWritten: () => isWritten,
    secured: async () => {
      await secured.promise;
      happened.push('secured');
    },
    seenTo: async () => void happened.push('seen to'),
    track: (task) => void task(),
    attempt: async (task) => {
      await task().catch(() => happened.push('told that it came to nothing'));
    },
  };
  const takeLine = createTakeLine(inbox, () => stored.then(() => isFirst), createLog('silent'));
  const line = { team: 'T', channel: 'C', person: 'U', line: 'status', delivery: 'd' };
  const ack = async () => void happened.push('acknowledged');
  const unwritten = async () => void happened.push('acknowledged as not written down');
  return { happened, answer, secured, takeLine, line, ack, unwritten };
}

const settled = async () => {
  for (let turns = 0; turns < 10; turns += 1) await turn();
};

test('an event that cannot be stored is acknowledged when everything is said or stored, however long that takes', async () => {
  const { happened, answer, secured, takeLine, line, ack } = taking();
  takeLine(line, ack, { kind: 'event' }, () => happened.push('over'));
  await settled();
  expect(happened).toEqual([]);
  answer.resolve();
  await settled();
  expect(happened).toEqual(['answered', 'seen to']);
  secured.resolve();
  await settled();
  expect(happened).toEqual(['answered', 'seen to', 'secured', 'acknowledged', 'over']);
});

test('a repeated event is left to the first one', async () => {
  const { happened, takeLine, line, ack } = taking({ isFirst: false });
  takeLine(line, ack, { kind: 'event' }, () => happened.push('over'));
  await settled();
  expect(happened).toEqual(['over']);
});

test('a line counts as done after its author has heard of its failure, and not before', async () => {
  const { happened, answer, secured, takeLine, line, ack } = taking();
  takeLine(line, ack, { kind: 'event' }, () => undefined);
  answer.reject(new Error('The disk is full'));
  secured.resolve();
  await settled();
  expect(happened).toEqual(['told that it came to nothing', 'seen to', 'secured', 'acknowledged']);
});

test('a command that is not stored in time is not acknowledged as if it was', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const storing = Promise.withResolvers<void>();
    const slow = taking({ isWritten: true, stored: storing.promise });
    slow.takeLine(slow.line, slow.ack, { kind: 'command', unwritten: slow.unwritten }, () => undefined);
    await vi.advanceTimersByTimeAsync(2_600);
    expect(slow.happened).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(slow.happened).toEqual(['acknowledged as not written down']);
    storing.resolve();
    slow.answer.resolve();
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.happened.slice(1)).toEqual(['answered', 'seen to']);
    const quick = taking({ isWritten: true });
    quick.takeLine(quick.line, quick.ack, { kind: 'command', unwritten: quick.unwritten }, () => undefined);
    await vi.advanceTimersByTimeAsync(1);
    expect(quick.happened).toEqual(['acknowledged']);
  } finally {
    vi.useRealTimers();
  }
});

test('a command without a timely answer is acknowledged with the note that it is not stored', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const { happened, answer, takeLine, line, ack, unwritten } = taking();
    takeLine(line, ack, { kind: 'command', unwritten }, () => happened.push('over'));
    await vi.advanceTimersByTimeAsync(2_600);
    expect(happened).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(happened).toEqual(['acknowledged as not written down', 'over']);
    answer.resolve();
    await vi.advanceTimersByTimeAsync(1);
    expect(happened.slice(2)).toEqual(['answered', 'seen to']);
  } finally {
    vi.useRealTimers();
  }
});
