import { readFileSync } from 'node:fs';
import type { ApplianceSettings } from '../src/api/index.ts';
import { type ReadFile, readPolicyText } from '../src/config/policy-file.ts';
import { type Environment, whyUnreadable } from '../src/config/secret.ts';
import type { PolicyFile } from '../src/config/shape/file-shape.ts';

interface InUse extends Pick<ReadFile, 'content' | 'missing'> {
  readonly meaning: PolicyFile;
}

/** The policy file, for tools that use it: `policy check` explains its mistakes. `wrong` is a sentence. */
export function policyInUse(file: string, environment: Environment): InUse | { readonly wrong: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { wrong: `${file} ${whyUnreadable(error)}.` };
  }
  const { meaning, missing, content } = readPolicyText(text, file, environment);
  return meaning === undefined
    ? { wrong: `${file} has errors. List them with appliance-bot policy check ${file}.` }
    : { meaning, missing, content };
}

interface Named extends InUse {
  readonly settings: ApplianceSettings;
}

/** The same, for who asks about one appliance that stands in it. */
export function applianceInUse(
  name: string,
  file: string,
  environment: Environment,
): Named | { readonly wrong: string } {
  const read = policyInUse(file, environment);
  if ('wrong' in read) return read;
  const { appliances } = read.meaning;
  const settings = appliances.find((one) => one.name === name);
  return settings === undefined
    ? { wrong: `${file} has no appliance ${name}. It has ${appliances.map((one) => one.name).join(', ')}.` }
    : { ...read, settings };
}

/** The same, for who sends it something: by all that is needed for that. The file is the bot's unless one is given. */
export function applianceReached(
  name: string,
  given: string | undefined,
  environment: Environment,
): (Named & { readonly file: string }) | { readonly wrong: string } {
  const file = given ?? environment.APPLIANCE_BOT_CONFIG;
  if (!file)
    return {
      wrong: `${name} is not an address. To use an appliance by its name, set --config or APPLIANCE_BOT_CONFIG to the policy file.`,
    };
  const read = applianceInUse(name, file, environment);
  if ('wrong' in read) return read;
  const lacking = read.missing.find(({ key }) => key.includes(` appliances.${name}.`));
  return lacking === undefined ? { ...read, file } : { wrong: `${lacking.key} ${lacking.wrong}` };
}
