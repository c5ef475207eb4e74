import type { Appliance } from './client.ts';
import * as combinedAreas from './combined/index.ts';
import * as areas from './endpoints/index.ts';
import { NotConfigured } from './errors.ts';

/**
 * An appliance without configuration, known by name: every call rejects with `NotConfigured`, and nothing is
 * ever sent.
 */
export function absentAppliance(name: string): Appliance {
  const bound = Object.entries(areas).map(([area, endpoints]) => {
    // The combined areas are named like areas; a test checks this.
    const combined = Object.entries(combinedAreas).find(([other]) => other === area)?.[1];
    const calls = Object.keys({ ...endpoints, ...combined }).map((own) => [
      own,
      async () => {
        throw new NotConfigured('url', { operation: `${area}.${own}` });
      },
    ]);
    return [area, Object.fromEntries(calls)];
  });
  const appliance = {
    // Object.fromEntries loses the names that the type keeps.
    ...(Object.fromEntries(bound) as Pick<Appliance, keyof typeof areas>),
    name,
    supports: async () => undefined,
    learnRelease: async () => false,
    identity: async () => undefined,
    checkShellPackage: async () => {
      throw new NotConfigured('url', { operation: 'directory.uploadShellPackage' });
    },
    dryRun: () => appliance,
    probe: () => appliance,
    close: async () => undefined,
  } satisfies Appliance as Appliance;
  return appliance;
}
