import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/handlers/registry.ts';
import { type Examples, startExamples } from '../example-runner.ts';
import { type ListFront, listWays, openListFront } from '../list-front.ts';
import { changedPlaces, snapshot } from '../truth/state.ts';

/**
 * A list that is not whole proves nothing. The example of every change is played on an appliance whose lists, from the order on,
 * come empty, as null, not at all, cut off, in pages, or with every entry twice; and once more where nothing but a 502 comes of the
 * order. What the bot then says happened has happened, by the appliance's own state, and what it says did not happen has not.
 */

let examples: Examples;
let front: ListFront;

beforeAll(async () => {
  let url = '';
  front = await openListFront(() => url);
  examples = await startExamples({ settings: { url: front.url } });
  url = examples.sandbox.appliance?.urls.web ?? '';
});
afterAll(async () => {
  await examples.sandbox.stop();
  await front.close();
});

const changes = commands.filter((command) => command.kind === 'change');

async function play(command: (typeof changes)[number], arm: () => void) {
  front.disarm();
  await examples.prepare(command);
  const state = () => snapshot(examples.sandbox.appliance?.state ?? {});
  const before = state();
  arm();
  const action = await examples.run(command.example);
  await examples.sandbox.bot.answered();
  front.disarm();
  const ended = action && (await examples.sandbox.bot.journal.byId(action.id));
  return {
    state: ended?.state,
    code: ended?.outcome?.code,
    says: ended?.outcome?.says ?? '',
    places: changedPlaces(before, state()),
    isSpoilt: front.hasSpoilt(),
  };
}

/** These are read back in reports, whose lists nothing documents: pages of a report are not followed. */
const reports: ReadonlySet<string> = new Set(['rdp ciphers set <suite>…']);

const figures = new Map<string, number>();

/** All of them with `TRUTH=all`; else a sixth of them with each change, other ones with the next. */
const ways = [false, true].flatMap((loses) => listWays.map((way) => ({ way, loses })));
const waysFor = (change: number) =>
  process.env.TRUTH === 'all' ? ways : ways.filter((_, index) => (index + change) % 6 === 0);

test.each(changes.map((command, index) => [command.phrase, command, index] as const))(
  '%s claims no more than it knows from an incomplete list',
  async (_, command, index) => {
    const clean = await play(command, () => undefined);
    const wrong: string[] = [];
    for (const { way, loses } of waysFor(index)) {
      const played = await play(command, () => front.arm(way, loses));
      if (!played.isSpoilt) continue;
      const { state, code, says, places } = played;
      const isSo = [...clean.places].some((place) => places.has(place));
      const told = `${way}${loses ? ', order lost' : ''}: ${state} (${code}): ${says}`;
      if (state === 'done' && code === 'checked' && !isSo && clean.places.size > 0)
        wrong.push(`false success: ${told}`);
      // An existing thing must not be called missing.
      if (/\bhq has no | no longer exists/.test(says) && !/paged|twice/.test(way))
        wrong.push(`false absence: ${told}`);
      // A stopped plan says what it did before.
      if (state === 'failed' && code !== 'plan_stopped' && isSo) wrong.push(`false failure: ${told}`);
      // Pages are followed, and what came twice is there once.
      const isSeenWhole = way === 'twice' || (way === 'paged' && !reports.has(command.phrase));
      if (!loses && isSeenWhole && clean.code === 'checked' && code !== 'checked')
        wrong.push(`not seen: ${told}`);
      const figure = `${way}${loses ? ', lost' : ''}: ${code ?? state}`;
      figures.set(figure, (figures.get(figure) ?? 0) + 1);
      if (process.env.TOLD) process.stdout.write(`${command.phrase}: ${told}\n`);
    }
    expect(wrong).toEqual([]);
  },
  120_000,
);

test.each([
  ['as it is', undefined, false, 'checked'],
  ['as null, where another answer counts none', 'null', false, 'checked'],
  ['as null, where the order was lost', 'null', true, 'unseen'],
  ['empty, where the order was lost', 'empty', true, 'unseen'],
] as const)('the last session of all is verified as gone by its list %s', async (_, way, loses, code) => {
  const command = changes.find(({ phrase }) => phrase === 'rdp disconnect <session>');
  if (command === undefined) throw new Error('There is such a command');
  const ended = await play(command, () => {
    const sessions = examples.sandbox.appliance?.state.rdp.sessions;
    for (const id of sessions?.keys() ?? []) if (id !== 12) sessions?.delete(id);
    if (way !== undefined) front.arm(way, loses);
  });
  expect(ended.code).toBe(code);
  expect(examples.sandbox.appliance?.state.rdp.sessions.size).toBe(loses ? 1 : 0);
});

test('lists were spoilt in every way', () => {
  process.stdout.write(`${[...figures].map(([what, count]) => `${count} ${what}`).join('; ')}\n`);
  for (const way of listWays) expect([...figures.keys()].join()).toContain(way);
});
