import { readFileSync } from 'node:fs';
import type { ApplianceSettings } from '../src/api/index.ts';
import { type ReadFile, readPolicyText } from '../src/config/policy-file.ts';
import { type Environment, whyUnreadable } from '../src/config/secret.ts';
import type { PolicyFile } from '../src/config/shape/file-shape.ts';

interface InUse extends Pick<ReadFile, 'missing'> {
  readonly meaning: PolicyFile;
}

/** The policy file, for those who go by what it says: `policy check` is for what is wrong with it. `wrong` is a sentence. */
export function policyInUse(file: string, environment: Environment): InUse | { readonly wrong: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { wrong: `${file} ${whyUnreadable(error)}.` };
  }
  const { meaning, missing } = readPolicyText(text, file, environment);
  return meaning === undefined
    ? { wrong: `${file} has errors. List them with appliance-bot policy check ${file}.` }
    : { meaning, missing };
}

/** The same, for who asks about one appliance that stands in it. */
export function applianceInUse(
  name: string,
  file: string,
  environment: Environment,
): (InUse & { readonly settings: ApplianceSettings }) | { readonly wrong: string } {
  const read = policyInUse(file, environment);
  if ('wrong' in read) return read;
  const { appliances } = read.meaning;
  const settings = appliances.find((one) => one.name === name);
  return settings === undefined
    ? { wrong: `${file} has no appliance ${name}. It has ${appliances.map((one) => one.name).join(', ')}.` }
    : { ...read, settings };
}
