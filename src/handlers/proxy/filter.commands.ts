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
  summary: 'Compile and apply the filtering rules with the compiled categories',
  effect: 'write',
  verb: 'Compile',
  doing: () => say`Compiling the filtering rules`,
  done: () => say`Filtering rules ${strong('compiled and applied')}`,
  preview: async () =>
    ready({
      question: say`Compile and apply the filtering rules?`,
      fields: { Duration: say`up to a few minutes. Compile changed categories first.` },
      fingerprint: {},
    }),
  run: ({ appliance }) => appliance.categories.compileRules(),
  verify: { notCheckable: 'the API does not report when the filtering rules were last compiled' },
  satisfies: () => ['filter'],
});
