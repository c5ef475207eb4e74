import { command } from '../command.ts';
import { say, strong } from '../reply.ts';

export const compile = command({
  kind: 'change',
  phrase: 'filter compile',
  also: ['filtering rules compile', 'filter rules compile'],
  args: {},
  summary: 'Compile and apply the filtering rules, so that they use the compiled categories',
  example: 'filter compile',
  effect: 'write',
  verb: 'Compile',
  doing: () => say`Compiling the filtering rules`,
  done: () => say`The filtering rules are ${strong('compiled and applied')}`,
  preview: async () => ({
    kind: 'ready',
    question: say`Compile and apply the filtering rules?`,
    fields: [
      {
        name: 'Takes',
        value: say`up to a few minutes. Categories that changed must be compiled before.`,
      },
    ],
    subject: {},
  }),
  run: ({ appliance }) => appliance.categories.compileRules(),
  verify: { notCheckable: 'the appliance does not tell when its filtering rules were last compiled' },
  satisfies: () => ['filter'],
});
