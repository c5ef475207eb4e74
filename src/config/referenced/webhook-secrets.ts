import { entriesOf } from '../content.ts';
import type { ConfigFinding } from '../findings.ts';
import { type Environment, referenceShape, resolveSecret } from '../secret.ts';

/** The keys that its deliveries are signed with, the newest first; and those that cannot be had, by their references. */
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
    const wrong = resolved.ok
      ? 'refers to a value that is not whsec_ and 24 to 64 random bytes in base64. To make one: echo "whsec_$(openssl rand -base64 32)"'
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
