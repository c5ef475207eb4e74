import { expect, test } from 'vitest';
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
