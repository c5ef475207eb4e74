import { afterEach, beforeEach } from 'vitest';
import {
  type SimulatedAppliance,
  type SimulatedApplianceSettings,
  startSimulatedAppliance,
} from './index.ts';

/** The appliance of the test that runs (`withAnAppliance`). */
export let appliance: SimulatedAppliance;

/** The time of the appliance. */
export let now: Date;

/** Gives every test of a file an appliance of its own, on its own clock. */
export function withAnAppliance(settings: SimulatedApplianceSettings = {}): void {
  beforeEach(async () => {
    now = new Date('2026-11-20T12:00:00Z');
    appliance = await startSimulatedAppliance({ ...settings, clock: () => now });
  });
  afterEach(() => appliance.close());
}

/** The caller names the parts of the answer that it checks. */
export async function get<Reply = unknown>(path: string): Promise<Reply> {
  return (await fetch(appliance.url + path)).json() as Promise<Reply>;
}

/** Sends a request, and resolves to the raw answer; follows no redirects. */
export async function call(path: string, request: RequestInit = {}) {
  const url = path.startsWith('http') ? path : appliance.url + path;
  const response = await fetch(url, { redirect: 'manual', ...request });
  const { status, headers } = response;
  return { status, type: headers.get('content-type') ?? '', text: await response.text(), headers };
}

export function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}
