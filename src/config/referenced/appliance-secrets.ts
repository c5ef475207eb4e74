import { type ApplianceProxy, type ApplianceTls, isShellPassword, shortestSecret } from '../../api/index.ts';
import { entriesOf } from '../content.ts';
import type { ConfigFinding } from '../findings.ts';
import { type Environment, type Resolved, referenceShape, resolveSecret, resolveText } from '../secret.ts';
import { findTls } from './tls-files.ts';

/** What an appliance needs that stands outside of the policy file, as far as it is named and could be had. */
export interface ApplianceSecrets {
  readonly key: string | undefined;
  readonly shellPassword: string | undefined;
  readonly mirrorConsolePassword: string | undefined;
  readonly tls: ApplianceTls | undefined;
  readonly proxy: ApplianceProxy | undefined;
}

export interface FoundSecrets {
  readonly of: (appliance: string) => ApplianceSecrets;
  /** Those that cannot be had, by their references. */
  readonly missing: readonly ConfigFinding[];
  /** Those that could be had, and are not what they must be. */
  readonly wrong: readonly ConfigFinding[];
}

/** Looks up what the references of all appliances stand for. `folder` is the one that the file stands in. */
export function findSecrets(content: unknown, environment: Environment, folder: string): FoundSecrets {
  const missing: ConfigFinding[] = [];
  const wrong: ConfigFinding[] = [];
  const found = new Map(
    Object.entries(entriesOf(content, 'appliances')).map(([name, settings]) => {
      const { key, shell_password, mirror_console_password, tls, proxy } = entriesOf(settings);
      const at = (setting: readonly string[], says: string): ConfigFinding => ({
        path: ['appliances', name, ...setting],
        wrong: `${says}.`,
      });
      const lookUp = (
        setting: readonly string[],
        reference: unknown,
        { read = resolveSecret, check = (found: Resolved) => found } = {},
      ) => {
        if (typeof reference !== 'string' || !referenceShape.test(reference)) return undefined;
        const resolved = check(read(reference, environment, folder));
        if (resolved.ok) return resolved.secret;
        missing.push(at(setting, resolved.wrong));
        return undefined;
      };
      const secured = findTls(tls, environment, folder);
      missing.push(...secured.missing.map(([setting, says]) => at(['tls', setting], says)));
      wrong.push(...secured.wrong.map(([setting, says]) => at(['tls', setting], says)));
      const secrets = {
        key: lookUp(['key'], key),
        shellPassword: lookUp(['shell_password'], shell_password, { check: writable }),
        mirrorConsolePassword: lookUp(['mirror_console_password'], mirror_console_password),
        tls: secured.tls,
        proxy: proxyOf(proxy, (reference) => lookUp(['proxy', 'password'], reference, { read: resolveText })),
      };
      // What an appliance says is shown without its key, and a short one stands in many words.
      if (secrets.key !== undefined && secrets.key.length < shortestSecret) {
        const says = `refers to a key of fewer than ${shortestSecret} characters, which is too short to be kept secret`;
        wrong.push(at(['key'], `${says}. Set a longer Web API key on the appliance, and here`));
      }
      return [name, secrets] as const;
    }),
  );
  return { missing, wrong, of: (appliance) => found.get(appliance) ?? none };
}

const none: ApplianceSecrets = {
  key: undefined,
  shellPassword: undefined,
  mirrorConsolePassword: undefined,
  tls: undefined,
  proxy: undefined,
};

function proxyOf(
  content: unknown,
  lookUp: (reference: unknown) => string | undefined,
): ApplianceProxy | undefined {
  const { url, user, password } = entriesOf(content);
  if (typeof url !== 'string') return undefined;
  const login = lookUp(password);
  return typeof user === 'string' && login !== undefined ? { url, user, password: login } : { url };
}

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
