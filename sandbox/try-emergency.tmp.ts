// temporary: why a bot that is killed after every 17 steps gets nowhere
import { test } from 'vitest';
import { lives, ask, approve, wordsOf } from '../test/lives.ts';
const minute = 60_000;
const enable = 'emergency enable --for 30m --reason "directory down"';
test('17', async () => {
  const w = await lives();
  w.appliance.faults.set('- /emergency_disable', { kind: 'forget', times: 2 });
  for (let i = 0; i < 12; i += 1) {
    const l = await w.live(17);
    await l.rest();
    if (!l.isDead() && !(await l.journal.recent()).some((a) => a.line === enable)) ask(l, enable);
    await l.rest();
    if (!l.isDead()) await approve(l);
    await l.rest();
    for (const p of [25, 5, 1, 15, 5, 60]) { if (l.isDead()) break; w.clock.at += p * minute; l.tick(); await l.rest(); }
    const a = (await l.journal.recent()).map((x) => [x.state, x.line.slice(0, 20)].join());
    const [x] = await l.journal.leasesOf((await l.journal.recent())[0]?.id ?? '');
    console.log(i, l.isDead(), l.steps(), a, x && [x.state, x.orders, x.failures, x.report], w.chat.thread.length, w.chat.notes.length);
  }
  console.log(w.chat.thread.map(({ said }) => wordsOf(said).slice(0, 150)), w.chat.notes.map(({ said }) => wordsOf(said).slice(0, 60)));
});
