import { expect, test } from 'vitest';
import { changedColumns, newRow, readAction } from './action-row.ts';

const asked = { state: 'asked', team: 'T1', channel: 'C1', person: 'U1', line: 'status' } as const;
const row = newRow(asked, null, 'first', 1);

test('an action is read as it was written', () => {
  const outcome = { code: 'answered', says: 'Here it is.', headline: 'Here' };
  const preview = { question: ['Disconnect?'] };
  const columns = changedColumns({ outcome, preview }) as object;
  expect(readAction({ ...row, ...columns })).toMatchObject({
    outcome,
    preview,
    args: {},
    consent: undefined,
  });
});

test.each([
  ['is no JSON', '{"code":'],
  ['is empty', ''],
  ['is something else', '[]'],
])('what %s keeps no action from being read, nor those beside it', (_, text) => {
  const broken = { outcome_json: text, preview_json: text, consent_json: text, interaction_json: text };
  const action = readAction({ ...row, ...broken, args_json: text });
  expect(action).toMatchObject({ line: 'status', outcome: { code: 'unreadable' } });
  // It is there, and says nothing: that is not the same as if there had never been any.
  expect([action.preview, action.consent]).not.toContain(undefined);
  expect(action.interaction).toBeUndefined();
});

test.each([
  [{ kind: 'export', format: 'csv', rows: 3, filter: null, of: 'a1' }],
  [{ kind: 'refused_click', button: 'page', of: null }],
  [{ kind: 'form', form: 'reason', of: 'a1' }],
])('what somebody did where no line was typed is read as it was: %j', (interaction) => {
  expect(readAction({ ...row, interaction_json: JSON.stringify(interaction) }).interaction).toEqual(
    interaction,
  );
});
