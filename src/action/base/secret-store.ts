import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { codec } from '../../codec.ts';
import type { Journal } from '../../journal/journal.ts';
import { parsed } from '../../journal/json.ts';

/**
 * The passwords of the changes that wait for a click. The click may come to another replica, or after a restart: hence
 * they stand in the journal, encrypted with a key that does not, and for as long as they may be needed.
 */
export interface SecretStore {
  readonly put: (action: string, secrets: Secrets) => Promise<void>;
  /** Those that are at hand. */
  readonly get: (action: string) => Secrets | undefined;
  /** Fetches them from the journal where they are not. */
  readonly fetch: (action: string) => Promise<Secrets | undefined>;
  readonly forget: (action: string) => Promise<void>;
  /** Those of a change that is planned, if there are any, are kept until its time is over (milliseconds since the epoch). */
  readonly keepUntil: (action: string, until: number) => Promise<void>;
}

/** By the name of the slot. */
type Secrets = Readonly<Record<string, string>>;
const written = codec(z.record(z.string(), z.string()));

/** Nobody waits longer than a card stands, but a card may be drawn anew; in milliseconds. */
const keptFor = 30 * 60_000;

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;
/** Between the same text under one key and under the next; no letter of Base64. */
const separator = '.';

/**
 * `keys`: secrets that all replicas have and the journal has not. Any one of them opens what was put, so that one can be
 * replaced while a card waits.
 */
export function createSecretStore(
  journal: Pick<Journal, 'putSealed' | 'sealed' | 'forgetSealed'>,
  keys: readonly string[],
  now: () => number,
): SecretStore {
  const sealing = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'appliance-bot vault', 32)));
  const atHand = new Map<string, { readonly secrets: Secrets; readonly until: number }>();

  const store: SecretStore = {
    put: (action, secrets) => keep(action, secrets, now() + keptFor),

    get,

    keepUntil: async (action, until) => {
      const secrets = await store.fetch(action);
      if (secrets !== undefined) await keep(action, secrets, until + keptFor);
    },

    fetch: async (action) => {
      const sealed = get(action) === undefined ? await journal.sealed(action) : undefined;
      const opened =
        sealed === undefined ? undefined : unsealWithAny(sealing, action, sealed.split(separator));
      const secrets = opened === undefined ? undefined : written.read(parsed(opened));
      if (secrets !== undefined) atHand.set(action, { secrets, until: now() + keptFor });
      return get(action);
    },

    forget: async (action) => {
      if (atHand.delete(action)) await journal.forgetSealed(action);
    },
  };
  return store;

  async function keep(action: string, secrets: Secrets, until: number): Promise<void> {
    for (const [id, { until: over }] of atHand) if (over <= now()) atHand.delete(id);
    atHand.set(action, { secrets, until: now() + keptFor });
    const text = JSON.stringify(written.store(secrets));
    await journal.putSealed(action, sealing.map((key) => seal(key, action, text)).join(separator), until);
  }

  function get(action: string): Secrets | undefined {
    const found = atHand.get(action);
    return found === undefined || found.until <= now() ? undefined : found.secrets;
  }
}

/** What is encrypted for one action opens for no other. */
function seal(key: Buffer, action: string, text: string): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(action));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

function unsealWithAny(
  keys: readonly Buffer[],
  action: string,
  sealed: readonly string[],
): string | undefined {
  for (const key of keys) {
    for (const one of sealed) {
      const text = unseal(key, action, one);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** Undefined when it was encrypted with another key. */
function unseal(key: Buffer, action: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  const tag = bytes.subarray(ivLength, ivLength + tagLength);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(action))
    .setAuthTag(tag);
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}
