import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { applianceReached } from '../cli/policy-in-use.ts';
import { entriesOf } from '../src/config/entries.ts';
import { type Environment, referenceShape } from '../src/config/secret.ts';
import type { fileShape } from '../src/config/shape/file-shape.ts';

/** A real appliance in a policy file. */
export type RealAppliance = z.input<typeof fileShape>['appliances'][string];

interface Taken {
  /** File references with their whole path: the sandbox's own policy file stands in another folder. */
  readonly appliance: RealAppliance;
  /** The variables that it refers to. */
  readonly secrets: Environment;
}

/** Takes an appliance out of a policy file, by its name there. @throws TypeError when it, or a secret of it, cannot be had */
export function takeAppliance(name: string, config: string | undefined, environment: Environment): Taken {
  const found = applianceReached(name, config, environment);
  if ('wrong' in found) throw new TypeError(found.wrong);
  const secrets: Record<string, string | undefined> = {};
  const folder = dirname(resolve(found.file));
  const moved = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      const [, source, name] = referenceShape.exec(value) ?? [];
      if (name === undefined) return ['ca', 'certificate'].includes(key) ? resolve(folder, value) : value;
      if (source !== undefined) return `\${file:${resolve(folder, name)}}`;
      secrets[name] = environment[name];
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([own, one]) => [own, moved(one, own)]));
  };
  // The search has checked this shape.
  const appliance = moved(entriesOf(found.content, 'appliances')[name], '') as RealAppliance;
  return { appliance, secrets };
}
