import { afterEach, beforeEach } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from './index.ts';

/** The appliance of the test that runs (`withAnAppliance`). */
export let appliance: SimulatedAppliance;

/** What time it is for the appliance. */
export let now: Date;

/** Gives every test of a file an appliance of its own, on its own clock. */
export function withAnAppliance(): void {
  beforeEach(async () => {
    now = new Date('2026-11-20T12:00:00Z');
    appliance = await startSimulatedAppliance({ clock: () => now });
  });
  afterEach(() => appliance.stop());
}

/** The caller names the parts of the answer it goes on to check. */
export async function get<Reply = unknown>(path: string): Promise<Reply> {
  return (await fetch(appliance.url + path)).json() as Promise<Reply>;
}

export function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}
