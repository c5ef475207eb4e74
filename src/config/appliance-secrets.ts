import { isShellPassword } from '../api/index.ts';
import { entriesOf } from './content.ts';
import type { ConfigFinding } from './findings.ts';
import { type Environment, type Resolved, referenceShape, resolveSecret } from './secret.ts';

/** The secrets of one appliance, as far as they are named and could be had. */
export interface ApplianceSecrets {
  readonly key: string | undefined;
  readonly shellPassword: string | undefined;
  readonly mirrorConsolePassword: string | undefined;
}

export interface FoundSecrets {
  readonly of: (appliance: string) => ApplianceSecrets;
  /** Those that cannot be had, by their references. */
  readonly missing: readonly ConfigFinding[];
}

/** Looks up what the references of all appliances stand for. `folder` is the one that the file stands in. */
export function findSecrets(content: unknown, environment: Environment, folder: string): FoundSecrets {
  const missing: ConfigFinding[] = [];
  const found = new Map(
    Object.entries(entriesOf(content, 'appliances')).map(([name, settings]) => {
      const { key, shell_password, mirror_console_password } = entriesOf(settings);
      const lookUp = (setting: string, reference: unknown, check = (found: Resolved) => found) => {
        if (typeof reference !== 'string' || !referenceShape.test(reference)) return undefined;
        const resolved = check(resolveSecret(reference, environment, folder));
        if (resolved.ok) return resolved.secret;
        missing.push({ path: ['appliances', name, setting], wrong: `${resolved.wrong}.` });
        return undefined;
      };
      const secrets = {
        key: lookUp('key', key),
        shellPassword: lookUp('shell_password', shell_password, writable),
        mirrorConsolePassword: lookUp('mirror_console_password', mirror_console_password),
      };
      return [name, secrets] as const;
    }),
  );
  return {
    missing,
    of: (appliance) => found.get(appliance) ?? none,
  };
}

const none: ApplianceSecrets = {
  key: undefined,
  shellPassword: undefined,
  mirrorConsolePassword: undefined,
};

/** The bot writes it into the scripts of packages. */
function writable(found: Resolved): Resolved {
  return !found.ok || isShellPassword(found.secret)
    ? found
    : {
        ok: false,
        wrong:
          'refers to a password with a quote, backslash, $ or space, which is not safe in a script. Use a password without these characters',
      };
}
