import type { Accepted } from '../../api/index.ts';
import { type Applied, compile, inOrder, nameOfApplied, namesOfApplied } from '../applied.ts';
import { change, lookup } from '../declare.ts';
import { code, elapsed, paragraph, plural, say, strong, tableOf } from '../reply.ts';
import { type Fingerprint, nothing, ready } from '../results.ts';

export const pending = lookup({
  phrase: 'pending',
  says: `
    what is not live yet / unapplied changes / pending changes / changes waiting to be compiled /
    is my change active / is everything applied / what still has to be compiled /
    did my change take effect / is there something to apply / are there unapplied changes /
    why is my change not active / what is waiting / anything not applied yet / uncommitted changes /
    do i have to apply something / is something still to compile / is it live /
    anything waiting to be compiled / what is waiting to be compiled / what is not compiled /
    i added a site and it is still blocked / i added a site an hour ago / my change does not work yet /
    changed it but nothing happens / still blocked after my change / is my change through / not live yet /
    did my change go live / is my change live / is it live already
  `,
  also: ['pending changes', 'changes pending'],
  summary: 'Show changes that are not compiled yet',
  answer: async ({ appliance, pendingChanges, now }) => {
    const waiting = await pendingChanges();
    if (waiting.length === 0)
      return {
        headline: say`${strong(appliance.name)} has no changes from Appliance Bot waiting to be compiled`,
      };
    const problem = waiting.find((one) => one.problem !== undefined)?.problem;
    return {
      headline: say`${strong(plural(new Set(waiting.map(({ line }) => line)).size, 'change'))} on ${strong(appliance.name)} not in effect yet`,
      details: [
        ...tableOf(waiting, {
          Change: ({ line }) => code(line),
          'Waits for': (one) => say`compiling ${nameOfApplied(one)}`,
          For: ({ since }) => elapsed(now - since),
        }),
        ...(problem === undefined ? [] : [paragraph`The last attempt failed: ${problem}`]),
        paragraph`Compiling starts automatically, once for several changes. ${code('/appliance apply')} starts it now.`,
      ],
    };
  },
});

export const apply = change({
  phrase: 'apply',
  says: `
    apply changes / make it live / activate my changes / publish changes / deploy changes /
    compile everything / put pending changes into production / commit the changes / reload squid /
    apply everything / make my change active / activate pending changes /
    why is my change not live, apply it / roll out the changes / save and apply / commit / push changes /
    take the changes live / compile all
  `,
  also: ['apply changes', 'apply pending'],
  summary: 'Compile changes that are not in effect yet',
  before: ['acl object disable google_sni'],
  effect: 'write',
  verb: 'Apply',
  doing: () => say`Compiling pending changes`,
  done: () => say`Pending changes compiled`,
  preview: async (context) => {
    const waiting = await context.pendingChanges();
    if (waiting.length === 0)
      return nothing`${strong(context.appliance.name)} has no changes from Appliance Bot waiting to be compiled.`;
    return ready({
      question: say`Compile ${namesOfApplied(waiting)}?`,
      fields: { Compiles: namesOfApplied(waiting) },
      fingerprint: { what: inOrder(waiting.map(({ what }) => what)).join(' ') },
    });
  },
  run: async ({ appliance }, shown) => {
    const answers: Accepted[] = [];
    for (const what of listed(shown)) answers.push(await compile(appliance, what));
    return {
      confirmed: answers.every(({ confirmed }) => confirmed),
      ...(answers.some(({ launched }) => launched) && { launched: true }),
    };
  },
  verify: { notCheckable: 'the API does not report which rules are compiled' },
  satisfies: (_, shown) => listed(shown),
});

// Written by `preview` from what is pending.
const listed = ({ what }: Fingerprint): readonly Applied[] =>
  String(what ?? '')
    .split(' ')
    .filter((one) => one !== '') as Applied[];
