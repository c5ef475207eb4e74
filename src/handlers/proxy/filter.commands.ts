import { change } from '../declare.ts';
import { say, strong } from '../reply.ts';
import { ready } from '../results.ts';

export const compile = change({
  phrase: 'filter compile',
  says: `
    compile filter / reload filter / apply filtering rules / compile rules / reload rules / recompile ufdb /
    rebuild the url filter / make filter rules live / compile web filter / rebuild the filter /
    refresh the filter / make the filter rules active / filter rules not active /
    activate the filtering rules / deploy the filter / compile the filtering rules
  `,
  also: ['filtering rules compile', 'filter rules compile'],
  summary: 'Compile and apply the filtering rules, so that they use the compiled categories',
  effect: 'write',
  verb: 'Compile',
  doing: () => say`Compiling the filtering rules`,
  done: () => say`The filtering rules are ${strong('compiled and applied')}`,
  preview: async () =>
    ready({
      question: say`Compile and apply the filtering rules?`,
      fields: { Takes: say`up to a few minutes. Categories that changed must be compiled before.` },
      fingerprint: {},
    }),
  run: ({ appliance }) => appliance.categories.compileRules(),
  verify: { notCheckable: 'the appliance does not tell when its filtering rules were last compiled' },
  satisfies: () => ['filter'],
});
