import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ApplianceTls } from '../../api/index.ts';
import { entriesOf, listOf } from '../content.ts';
import {
  type Environment,
  placeOf,
  type Resolved,
  readText,
  referenceShape,
  resolveText,
} from '../secret.ts';
import { certificatesIn } from './certificates.ts';

export interface FoundTls {
  /** As far as it could be had; undefined where the appliance has no such settings. */
  readonly tls: ApplianceTls | undefined;
  /** What could not be had, by its setting: it may be there where the bot runs. */
  readonly missing: readonly TlsProblem[];
  /** What was found, and cannot be right anywhere. */
  readonly wrong: readonly TlsProblem[];
}

type TlsProblem = readonly [setting: string, says: string];

/** Reads the files with an appliance's certificates, and its key. Paths are taken from the folder of the policy file. */
export function findTls(content: unknown, environment: Environment, folder: string): FoundTls {
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

/** What is wrong with the key of a certificate. Not a character of it is repeated. */
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
