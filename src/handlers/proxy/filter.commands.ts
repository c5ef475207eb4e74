import { change } from '../declare.ts';
import { say, strong } from '../reply.ts';
import { ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';

export const compile = change({
  phrase: 'filter compile',
  says: `
    compile filter / reload filter / apply filtering rules / compile rules / reload rules / recompile ufdb /
    rebuild the url filter / make filter rules live / compile web filter / rebuild the filter /
    refresh the filter / make the filter rules active / filter rules not active /
    activate the filtering rules / deploy the filter / compile the filtering rules /
    filter does not pick up the new categories / rebuild the filter rules / recompile the filter /
    filter is outdated / the filter uses old categories / build the web filter / update the filter rules /
    the new rules are not active in the filter
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

export const lockDown = impossible({
  says: `
    lock everything down / block everything / block the internet for everybody / cut the internet /
    shut off the internet / nobody may surf any more / stop all traffic / isolate the network /
    take <address> off the network / limit bandwidth of <somebody> / throttle <somebody>
  `,
  why: 'The Web API cannot block or limit all traffic at once.',
  source: 'appliance-api.md §4',
  nearest: ['category list', 'acl objects'],
});

export const filterOff = impossible({
  says: `
    switch the filter off / turn off the web filter / disable all filtering / turn off filtering /
    bypass the filter for everybody / disable the content filter / unfiltered internet for <address> /
    give <somebody> unfiltered internet
  `,
  why: 'The Web API cannot switch the web filter off. Emergency mode only lets people surf without logging in.',
  source: 'appliance-api.md §4.12',
  nearest: ['emergency enable <--for> <--reason> [--break-glass]', 'emergency status'],
});

export const blockPage = impossible({
  says: `
    send the block page in french / change the block page / new text for the block page /
    put our logo on the block page / translate the blocked page / show another error page
  `,
  why: 'The Web API cannot show or change the page that people see when a site is blocked. Use the web console.',
  source: 'appliance-api.md §4',
  nearest: ['why <domain>'],
});

export const timeRules = impossible({
  says: `
    block <site> only during office hours / allow <site> in the lunch break / block <site> at night /
    open <site> only on weekends / time limit for <site> / quota for <site>
  `,
  why: 'The Web API cannot limit a site to hours or to an amount of time. Categories and ACL records apply at any time.',
  source: 'appliance-api.md §4',
  nearest: ['category list', 'acl objects'],
});
