// temporary: where the time of a world goes
import { test } from 'vitest';
import { lives, ask, approve } from '../test/lives.ts';
test('time', async () => {
  for (let i = 0; i < 3; i += 1) {
    const t: [string, number][] = []; let at = performance.now();
    const lap = (n: string) => { const now = performance.now(); t.push([n, Math.round(now - at)]); at = now; };
    const w = await lives(); lap('lives');
    const one = await w.live(); lap('live'); await one.rest(); lap('rest');
    ask(one, 'emergency enable --for 30m --reason "directory down"'); await one.rest(); lap('ask');
    await approve(one); await one.rest(); lap('approve');
    w.clock.at += 26 * 60_000; one.tick(); await one.rest(); lap('remind');
    w.clock.at += 5 * 60_000; one.tick(); await one.rest(); lap('end');
    const two = await w.live(); lap('live 2'); await two.rest(); lap('rest');
    await w.end(); lap('w.end');
    console.log(t.map(([n, m]) => `${n} ${m}`).join(', '));
  }
});
