import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { lines } from '../hostile-names.ts';

test('a workspace without charts and tables refuses each of them once, and then accepts all that any command says', async () => {
  const { workspace, person, pass, bot } = await converse();
  workspace.conditions.turn({ blocks: 'classic' });
  const dana = person('dana');
  // The example of a chart is one that is drawn as a picture.
  for (const line of [...lines, 'mirror daily']) {
    await dana.type('helpdesk', `/appliance ${line}`);
    if (dana.form() !== undefined) await dana.dismiss();
  }
  // Home has none of these.
  await dana.openHome();
  await pass(60_000);
  const refused = workspace.log.calls().filter(({ ok }) => !ok);
  expect(refused.map(({ method, error }) => `${method} ${error}`).toSorted()).toEqual([
    'chat.postMessage invalid_blocks',
    'chat.postMessage invalid_blocks',
  ]);
  expect(await bot.journal.unsent()).toEqual([]);
});
