import { alternate, duel } from './duel.ts';
import { percentile } from './figures.ts';
import { createLoad, type Load } from './load.ts';
import { bareBolt, type Measurement, row } from './measurement.ts';

const rounds = 8;
const commands = 300;
const perSecond = 50;
const targets = [
  { name: 'median', share: 50, ratio: 1.2 },
  { name: 'p99', share: 99, ratio: 1.5 },
];

/** How soon Slack hears that a command arrived, while the bot also does all the work that the commands before ask for. */
export const acknowledgement: Measurement = {
  name: 'acknowledgement',
  method: `envelope sent to acknowledgement received; ${perSecond} commands a second, evenly spaced; ${rounds} rounds of ${commands}; against a Bolt app that only acknowledges`,
  measure: () =>
    duel({ bare: 'bare_acknowledges', channels: 200 }, async (contestants) => {
      const bot = () => round(botLoad, 'answer');
      const bare = () => round(bareLoad, 'acknowledgement');
      const [botLoad, bareLoad] = [createLoad(contestants.bot), createLoad(contestants.bare)];
      await alternate(1, bot, bare);
      const { one, other } = await alternate(rounds, bot, bare);
      return targets.map(({ name, share, ratio }) => {
        // Over all rounds together: a percentile of the few hundred commands of one round is mostly chance.
        const [ours, value] = [one, other].map((all) => percentile(all.flat(), share));
        return row(
          `Acknowledgement, ${name}`,
          'ms',
          ours ?? 0,
          { whom: bareBolt, value: value ?? 0 },
          { ratio },
        );
      });
    }),
};

/** Milliseconds, one for each command. For the bot the answers are awaited too: work that fails is no work. */
async function round(load: Load, waitFor: 'acknowledgement' | 'answer'): Promise<readonly number[]> {
  const trips = await load.type(commands, { perSecond }, waitFor);
  return trips.map(({ acknowledged }) => acknowledged);
}
