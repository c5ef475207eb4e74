import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { subjectOf, vocabularyOf } from '../src/action/authority/authority.ts';
import { connectAppliance } from '../src/api/index.ts';
import { covers } from '../src/auth/rule.ts';
import { nameOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';
import { expectAgreement, expectSameDemands } from './agreement.ts';

test('policy explain predicts what happens: 48 lines over 4 policies', () => expectAgreement(4, 12, 173));

test('each way in meets the same demands: 26 ways under a policy', async () => {
  await expectSameDemands(1, 42);
}, 180_000);

test('a rule for one thing from the list of an appliance uses the word that a line uses for it', async () => {
  const simulated = await startSimulatedAppliance();
  onTestFinished(() => simulated.close());
  const { url, urls } = simulated;
  const mirror = { mirrorUrl: urls.mirror, mirrorConsoleUrl: urls.mirrorConsole };
  const addresses = { url, directoryUrl: urls.directory, ...mirror };
  const appliance = connectAppliance({ name: 'hq', ...addresses, sleep: async () => undefined });
  const { compared } = vocabularyOf(commands);
  const wrong: unknown[] = [];
  for (const command of commands) {
    const { args } = command;
    for (const [name, { list }] of Object.entries(args)) {
      if (list === undefined) continue;
      const [earlier] = args.product?.list === undefined ? [] : await args.product.list(appliance, {});
      const [one] = await list(appliance, { product: earlier?.value });
      if (one === undefined) throw new Error(`The simulated appliance lists nothing for ${command.phrase}`);
      const phrase = nameOf(command);
      const rule = { phrase, where: { [name]: [one.word] } };
      const isTheirs = covers(rule, subjectOf(command, { [name]: one.value }, 'none', 'forGood'));
      if (!isTheirs || compared(phrase, name, one.word) !== one.word)
        wrong.push({ ...rule, value: one.value });
    }
  }
  expect(wrong).toEqual([]);
});
