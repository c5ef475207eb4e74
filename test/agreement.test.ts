import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { subjectOf } from '../src/action/authority/subject.ts';
import { vocabularyOf } from '../src/action/authority/vocabulary.ts';
import { connectAppliance } from '../src/api/index.ts';
import { covers } from '../src/auth/rule.ts';
import { nameOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';
import { expectAgreement } from './agreement.ts';

test('what policy explain says is what happens: 48 lines over 4 policies', () => expectAgreement(4, 12, 173));

test('a rule for one thing that an appliance lists is written with the word that a line has for it', async () => {
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
