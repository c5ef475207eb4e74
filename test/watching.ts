import type { Conversation } from './conversation.ts';

export const second = 1_000;

/** Seconds between two looks at the clock: three times as many as the bots have, and nothing on watch is due sooner than that. */
const step = 6;

/** Lets that much time go by, while the bots look at their clocks. */
export async function goBy({ pass }: Pick<Conversation, 'pass'>, seconds: number): Promise<void> {
  for (let gone = 0; gone < seconds; gone += step) {
    await pass(Math.min(step, seconds - gone) * second);
  }
}

/** A port of the proxy stops or starts listening, which hundreds of people notice. */
export function port({ appliance }: Pick<Conversation, 'appliance'>, listening: boolean, which = 0): void {
  const found = appliance.state.directory.proxy.ports[which];
  if (found === undefined) throw new Error('The proxy has that port');
  Object.assign(found, { listening });
}

/** From a morning on, so that no quiet hours and no night are in the way. */
export const morning = { from: Date.UTC(2026, 9, 7, 9) };
