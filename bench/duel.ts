import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type Contestant, type Kind, startContestant } from './contestant.ts';

/** The bot and a bare app, warm and connected, with one appliance for both. */
export interface Duel {
  readonly bot: Contestant;
  readonly bare: Contestant;
}

export interface DuelOptions {
  readonly bare: Exclude<Kind, 'bot'>;
  readonly channels: number;
  readonly nodeFlags?: readonly string[];
}

/** Starts both, lets them fight, and clears everything away. */
export async function duel<Result>(
  options: DuelOptions,
  fight: (duel: Duel) => Promise<Result>,
): Promise<Result> {
  const appliance = await startSimulatedAppliance();
  const started: Contestant[] = [];
  const start = async (kind: Kind) => {
    const contestant = await startContestant({ ...options, kind, applianceUrl: appliance.url });
    started.push(contestant);
    return contestant;
  };
  try {
    return await fight({ bot: await start('bot'), bare: await start(options.bare) });
  } finally {
    await Promise.all(started.map((contestant) => contestant.stop()));
    await appliance.close();
  }
}

/** Runs the contestants in alternating order, so that a disturbance hits both. */
export async function alternate<Result>(
  rounds: number,
  one: () => Promise<Result>,
  other: () => Promise<Result>,
): Promise<{ readonly one: readonly Result[]; readonly other: readonly Result[] }> {
  const results: { one: Result[]; other: Result[] } = { one: [], other: [] };
  for (let round = 0; round < rounds; round += 1) {
    const takeOne = async () => void results.one.push(await one());
    const takeOther = async () => void results.other.push(await other());
    for (const take of round % 2 === 0 ? [takeOne, takeOther] : [takeOther, takeOne]) await take();
  }
  return results;
}
