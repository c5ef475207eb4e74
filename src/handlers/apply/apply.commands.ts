import { type Applied, compile, inOrder, nameOfApplied } from '../applied.ts';
import { command } from '../command.ts';
import type { AskingAppliance, PendingChange } from '../context.ts';
import { code, elapsed, enumerate, plural, type Reply, say, strong } from '../reply.ts';
import type { Fingerprint } from '../results.ts';

export const pending = command({
  kind: 'lookup',
  phrase: 'pending',
  also: ['pending changes', 'changes pending'],
  args: {},
  summary: 'Show which changes are made but not live yet',
  example: 'pending',
  effect: 'read',
  answer: async ({ appliance, pendingChanges: owed, now }): Promise<Reply> => {
    const waiting = await owed();
    if (waiting.length === 0) {
      return { headline: say`Everything that was changed through me on ${strong(appliance.name)} is live` };
    }
    const problem = waiting.find((one) => one.problem !== undefined)?.problem;
    return {
      headline: say`${strong(plural(new Set(waiting.map(({ line }) => line)).size, 'change'))} on ${strong(appliance.name)} not live yet`,
      details: [
        {
          kind: 'table',
          columns: ['Change', 'Waits for', 'For'],
          rows: waiting.map(({ line, what, since }) => [
            say`${code(line)}`,
            say`${nameOfApplied(what)} to be compiled`,
            say`${elapsed(now - since)}`,
          ]),
        },
        ...(problem === undefined
          ? []
          : [{ kind: 'text', text: say`The last try failed: ${problem}` } as const]),
        {
          kind: 'text',
          text: say`I compile by myself, once for a burst of changes. ${code('/appliance apply')} does it now.`,
        },
      ],
    };
  },
});

export const apply = command({
  kind: 'change',
  phrase: 'apply',
  also: ['apply changes', 'apply pending'],
  args: {},
  summary: 'Compile now what was changed and is not live yet',
  example: 'apply',
  before: ['acl object disable google_sni'],
  effect: 'write',
  verb: 'Apply',
  doing: () => say`Compiling what is not live yet`,
  done: () => say`What was changed is compiled`,
  preview: async (context) => {
    const what = await owedOf(context);
    if (what.length === 0) {
      return {
        kind: 'nothing',
        why: say`Everything that was changed through me on ${strong(context.appliance.name)} is live already.`,
      };
    }
    return {
      kind: 'ready',
      question: say`Compile ${enumerate(what.map(nameOfApplied))}?`,
      fields: [{ name: 'Compiles', value: enumerate(what.map(nameOfApplied)) }],
      subject: { what: what.join(' ') },
    };
  },
  run: async ({ appliance }, shown) => {
    let confirmed = true;
    for (const what of listed(shown)) confirmed = (await compile(appliance, what)).confirmed && confirmed;
    return { confirmed };
  },
  verify: { notCheckable: 'the appliance tells nobody which of its rules are the compiled ones' },
  satisfies: (_, shown) => listed(shown),
});

async function owedOf({
  pendingChanges: owed,
}: Pick<AskingAppliance<unknown>, 'pendingChanges'>): Promise<readonly Applied[]> {
  const waiting: readonly PendingChange[] = await owed();
  return inOrder(waiting.map(({ what }) => what));
}

// Written by `preview` from what is pending.
const listed = ({ what }: Fingerprint): readonly Applied[] =>
  String(what ?? '')
    .split(' ')
    .filter((one) => one !== '') as Applied[];
