import { expect, test } from 'vitest';
import { Unreadable } from '../../api/index.ts';
import { say } from '../../handlers/reply.ts';
import { conclude, concludeAll } from './outcome.ts';

const change = { doing: () => say`Stopping it`, done: () => say`It is stopped` };
const accepted = { kind: 'accepted' } as const;
const about = { order: accepted, fingerprint: {}, details: [] };
const checked = conclude(change, {}, 'hq', { ...about, kind: 'happened', evidence: say`It is gone.` });
const believed = conclude(change, {}, 'branch', { ...about, kind: 'not_checkable', why: 'nothing shows it' });

test('what is done on several appliances is called checked only where it was checked on each', () => {
  const on = (branch: typeof checked) =>
    concludeAll('Stop', [
      { appliance: 'hq', conclusion: checked },
      { appliance: 'branch', conclusion: branch },
    ]).outcome.code;
  expect(on(checked)).toBe('checked');
  expect(on(believed)).toBe('accepted');
});

test('of what nothing can show, and nobody heard an answer to, it is not said that it did not happen', () => {
  const interrupted = { kind: 'interrupted' } as const;
  const why = 'the API does not return passwords';
  const unseen = conclude(change, {}, 'hq', { ...about, order: interrupted, kind: 'unseen', why });
  expect(unseen).toMatchObject({ state: 'unknown', outcome: { code: 'unseen' } });
  expect(unseen.outcome.says).toContain('Nothing on the appliance can show whether it happened');
  expect(unseen.outcome.says).not.toMatch(/has not happened/);
});

test('what cannot be seen now is not told as what nothing can show, and nobody is told twice that it was accepted', () => {
  const why = 'hq listed only 5 of 12 sessions';
  const lost = { kind: 'open' } as const;
  const unseen = conclude(change, {}, 'hq', { ...about, order: lost, kind: 'unseen', why, passing: true });
  expect(unseen.outcome.says).toContain(`Whether it happened could not be seen: ${why}.`);
  const taken = conclude(change, {}, 'hq', { ...about, kind: 'not_checkable', why, passing: true });
  expect(taken.outcome.says).toBe(
    `It is stopped (accepted, not verified). Accepted, not verified: ${why}. Look before you rely on it.`,
  );
});

test('what happened all the same comes without advice against the trouble', () => {
  const failure = new Unreadable('HTTPParserError', 'other_protocol', {
    operation: 'rdp.restart',
    sent: 'yes',
  });
  const order = { kind: 'failed', failure } as const;
  const done = conclude(change, {}, 'hq', { ...about, order, kind: 'happened', evidence: say`It is gone.` });
  expect(done.outcome.says).toMatch(
    /^It is stopped\. hq reported a problem \([^)]+\)\. A check showed that it did happen\. Verified\. It is gone\.$/,
  );
});
