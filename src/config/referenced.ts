import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { type ApplianceProxy, type ApplianceTls, isShellPassword, shortestSecret } from '../api/index.ts';
import { notInTokens, oddIn, unseen } from '../meant.ts';
import { entriesOf, listOf } from './entries.ts';
import type { ConfigFinding } from './findings.ts';
import {
  type Environment,
  placeOf,
  type Resolved,
  readText,
  referenceShape,
  resolveSecret,
  resolveText,
} from './secret.ts';

/** An appliance's values outside of the policy file, as far as they are named and available. */
export interface ApplianceSecrets {
  readonly key: string | undefined;
  readonly shellPassword: string | undefined;
  readonly mirrorConsolePassword: string | undefined;
  readonly tls: ApplianceTls | undefined;
  readonly proxy: ApplianceProxy | undefined;
}

export interface FoundSecrets {
  readonly of: (appliance: string) => ApplianceSecrets;
  /** Unavailable ones, by their references. */
  readonly missing: readonly ConfigFinding[];
  /** Available but invalid ones. */
  readonly wrong: readonly ConfigFinding[];
}

/** Resolves the references of all appliances. `folder` contains the file. */
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
        proxy: proxyOf(proxy, (reference) =>
          lookUp(['proxy', 'password'], reference, { read: resolveText, check: typeable }),
        ),
      };
      // The key is masked in an appliance's words, and a short one occurs in many words.
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

/** Any words; invisible characters cannot be part of a password. */
function typeable(found: Resolved): Resolved {
  const odd = found.ok ? oddIn(found.secret, unseen) : undefined;
  return odd === undefined ? found : { ok: false, wrong: `refers to a password that has ${odd}` };
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

interface FoundTls {
  /** As far as available; undefined if the appliance has no such settings. */
  readonly tls: ApplianceTls | undefined;
  /** Unavailable files by setting; they may exist where the bot runs. */
  readonly missing: readonly TlsProblem[];
  /** Files that are invalid anywhere. */
  readonly wrong: readonly TlsProblem[];
}

type TlsProblem = readonly [setting: string, says: string];

/**
 * Reads the files with an appliance's certificates, and its key. Paths are relative to the folder of the policy
 * file.
 */
function findTls(content: unknown, environment: Environment, folder: string): FoundTls {
  if (content === undefined) return { tls: undefined, missing: [], wrong: [] };
  const { ca, pins, certificate, key } = entriesOf(content);
  const missing: TlsProblem[] = [];
  const wrong: TlsProblem[] = [];
  const had = (setting: string, resolved: Resolved): string | undefined => {
    if (resolved.ok) return resolved.secret;
    missing.push([setting, resolved.wrong]);
    return undefined;
  };
  const certificates = (setting: string, file: unknown): string | undefined => {
    if (typeof file !== 'string' || file === '') return undefined;
    const text = had(setting, readText(file, folder));
    if (text !== undefined && !certificatesIn(text)?.length) {
      wrong.push([
        setting,
        `refers to the file ${file}, which has no certificate in PEM format that can be read`,
      ]);
    }
    return text;
  };
  const isReference = typeof key === 'string' && referenceShape.test(key);
  const found = {
    ca: certificates('ca', ca),
    pins: pins === undefined ? undefined : listOf(pins).map(String),
    certificate: certificates('certificate', certificate),
    key: isReference ? had('key', resolveText(key, environment, folder)) : undefined,
  };
  if (isReference && found.key !== undefined) {
    const says = keyTrouble(found.key, found.certificate);
    if (says !== undefined) wrong.push(['key', `refers to the ${placeOf(key)}, ${says}`]);
  }
  return { tls: found, missing, wrong };
}

/** The problem with a certificate's key. Repeats no character of it. */
function keyTrouble(pem: string, certificate: string | undefined): string | undefined {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return /^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem)
      ? 'whose key is encrypted with a passphrase. Store it without one (openssl pkey -in KEY -out NEWKEY), readable by the bot alone'
      : 'which has no private key in PEM format';
  }
  const [own] = (certificate === undefined ? undefined : certificatesIn(certificate)) ?? [];
  return own === undefined || own.checkPrivateKey(key)
    ? undefined
    : 'whose key is not the one of certificate. The certificate of the client must be the first one in its file';
}

/** The certificates of a text in PEM format, in order; undefined if one is unreadable. */
export function certificatesIn(pem: string): readonly X509Certificate[] | undefined {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
      (one) => new X509Certificate(one),
    );
  } catch {
    return undefined;
  }
}

/** The name of its subject, in a few words. */
export const nameIn = ({ subject }: X509Certificate): string =>
  /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');

/** Warn this long before, in milliseconds, so that there is time to renew. */
const notice = 30 * 24 * 3_600_000;

/** A current or coming problem with its validity, to follow "which" or "it". */
export function timeTrouble(
  { validFromDate, validToDate }: Pick<X509Certificate, 'validFromDate' | 'validToDate'>,
  now: number,
): { readonly isOver: boolean; readonly says: string } | undefined {
  if (validToDate.getTime() <= now) return { isOver: true, says: `expired on ${dayOf(validToDate)}` };
  if (validFromDate.getTime() > now) {
    return { isOver: true, says: `is not valid before ${dayOf(validFromDate)}` };
  }
  return validToDate.getTime() - now <= notice
    ? { isOver: false, says: `expires on ${dayOf(validToDate)}` }
    : undefined;
}

/** `2027-03-01`, in UTC, as certificates say it. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The keys that sign webhook deliveries, newest first; and the unavailable ones, by their references. */
export function findWebhookKeys(
  content: unknown,
  environment: Environment,
  folder: string,
): { readonly keys: readonly Buffer[]; readonly missing: readonly ConfigFinding[] } {
  const settings = entriesOf(content, 'webhook');
  const missing: ConfigFinding[] = [];
  const keys = (['secret', 'previous_secret'] as const).flatMap((name) => {
    const reference = settings[name];
    if (typeof reference !== 'string' || !referenceShape.test(reference)) return [];
    const resolved = resolveSecret(reference, environment, folder);
    const key = resolved.ok ? keyIn(resolved.secret) : undefined;
    if (key !== undefined) return [key];
    const odd = resolved.ok ? oddIn(resolved.secret, notInTokens) : undefined;
    const wrong = resolved.ok
      ? `refers to a value that ${odd === undefined ? 'is' : `has ${odd}, so it is`} not whsec_ and 24 to 64 random bytes in base64. To make one: echo "whsec_$(openssl rand -base64 32)"`
      : resolved.wrong;
    missing.push({ path: ['webhook', name], wrong: `${wrong}.` });
    return [];
  });
  return { keys, missing };
}

function keyIn(secret: string): Buffer | undefined {
  const [, written] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(written ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** The paths of all referenced files: secrets and certificates. */
export function filesReferredTo(content: unknown, folder: string): readonly string[] {
  const tls = Object.values(entriesOf(content, 'appliances')).map((one) => entriesOf(one, 'tls'));
  const certificates = tls.flatMap(({ ca, certificate }) => [ca, certificate]);
  const named = [...certificates, ...fileReferences(content)];
  const paths = named.flatMap((one) => (typeof one === 'string' ? [resolve(folder, one)] : []));
  return [...new Set(paths)].toSorted();
}

/** Searches everything for references. */
function fileReferences(content: unknown): readonly string[] {
  if (typeof content === 'string') {
    const [, source, name] = referenceShape.exec(content) ?? [];
    return source === undefined || name === undefined ? [] : [name];
  }
  return typeof content === 'object' && content !== null
    ? Object.values(content).flatMap(fileReferences)
    : [];
}
