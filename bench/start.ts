import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type Kind, startContestant } from './contestant.ts';
import { alternate } from './duel.ts';
import { median } from './figures.ts';
import { bareBolt, type Measurement, row } from './measurement.ts';

const rounds = 15;
const channels = 20;

/** How long a restart leaves a team without the bot. */
export const startTime: Measurement = {
  name: 'start',
  method: `process started to Socket Mode connected; ${rounds} starts of each, with ${channels} channels and the data folder of the start before; against a Bolt app that only acknowledges`,
  measure: async () => {
    const appliance = await startSimulatedAppliance();
    const data = mkdtempSync(join(tmpdir(), 'appliance-bot-bench-data-'));
    const start = async (kind: Kind, staysFor = 0): Promise<number> => {
      const contestant = await startContestant({ kind, applianceUrl: appliance.url, channels, data });
      await sleep(staysFor);
      await contestant.stop();
      return contestant.connectedAfter;
    };
    try {
      // The first start makes the journal, reads files from the disk, and lives long enough to write Node's compile
      // cache, as a normal bot does.
      await start('bot', 2_000);
      await start('bare_acknowledges', 2_000);
      const { one, other } = await alternate(
        rounds,
        () => start('bot'),
        () => start('bare_acknowledges'),
      );
      const against = { whom: bareBolt, value: median(other) };
      return [row('Start until connected, median', 'ms', median(one), against, { ratio: 1.5 })];
    } finally {
      rmSync(data, { recursive: true, force: true });
      await appliance.close();
    }
  },
};
