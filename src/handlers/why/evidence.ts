import {
  type AclObject,
  type ApplianceFailure,
  type AskedAppliance,
  type Categorization,
  isApplianceFailure,
  type SslRule,
  type WebsiteAnalysis,
} from '../../api/index.ts';
import { aclObjects } from '../acl/objects.ts';
import { expectTold, tellsNone } from '../category/sites.ts';
import type { PendingChange } from '../context.ts';
import { canMatch } from './kinds.ts';

/** What one source said, or why it could not be asked. */
export type EvidenceSource<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: ApplianceFailure };

/** Everything that the appliance says about a domain. */
export interface Evidence {
  readonly domain: string;
  readonly categories: EvidenceSource<Categorization>;
  /** Those that could match a domain have their records. */
  readonly objects: EvidenceSource<readonly AclObject[]>;
  readonly sslRules: EvidenceSource<readonly SslRule[]>;
  readonly website: EvidenceSource<WebsiteAnalysis>;
  /** Changes made through the bot that are not live yet. */
  readonly pending: readonly PendingChange[];
}

/** Asks all sources side by side. One that fails does not hide the others; rejects with its failure when all fail. */
export async function gather(
  appliance: AskedAppliance,
  domain: string,
  pendingChanges: () => Promise<readonly PendingChange[]>,
): Promise<Evidence> {
  const [categories, objects, sslRules, website, waiting] = await Promise.all([
    ask(categoriesOf(appliance, domain)),
    ask(objectsWithRecords(appliance)),
    ask(appliance.ssl.listRules()),
    ask(appliance.analysis.website({ domain })),
    pendingChanges(),
  ]);
  const sources = [categories, objects, sslRules, website];
  if (!categories.ok && sources.every(({ ok }) => !ok)) throw categories.failure;
  return { domain, categories, objects, sslRules, website, pending: waiting };
}

const names = {
  categories: 'its categories',
  objects: 'the ACL objects',
  sslRules: 'the SSL rules',
  website: 'the test of the website',
} as const;
const allSources = ['categories', 'objects', 'sslRules', 'website'] as const;

/** Those that could not be asked, by name. An address has no test of its website, and so that is not missing. */
export const unaskedOf = (
  evidence: Evidence,
  sources: readonly (keyof typeof names)[] = allSources,
): readonly string[] =>
  sources.flatMap((name) => {
    const source = evidence[name];
    const isRead = source.ok ? isWhole(evidence, name) : source.failure.code === 'bad_argument';
    return isRead ? [] : [names[name]];
  });

/** Whether a source tells everything that could speak of the domain: an object whose rules were not understood may block it. */
export function isWhole({ objects, sslRules }: Evidence, name: keyof typeof names): boolean {
  if (name === 'objects') {
    return objects.ok && !objects.value.some(({ unread = {} }) => 'Rules' in unread);
  }
  return (
    name !== 'sslRules' || (sslRules.ok && !sslRules.value.some(({ unread = {} }) => 'Objects' in unread))
  );
}

async function ask<Value>(asked: Promise<Value>): Promise<EvidenceSource<Value>> {
  try {
    return { ok: true, value: await asked };
  } catch (failure) {
    if (!isApplianceFailure(failure)) throw failure;
    return { ok: false, failure };
  }
}

/** None only where the appliance says that there is none. */
async function categoriesOf(appliance: AskedAppliance, domain: string): Promise<Categorization> {
  const found = await appliance.categories.query({ domain });
  const { categories } = found;
  expectTold([{ site: domain, categories, isTold: categories.length > 0 || tellsNone(categories) }]);
  return found;
}

/** An object that does not tell its records in the list is asked for them: not told is not none. */
async function objectsWithRecords(appliance: AskedAppliance): Promise<readonly AclObject[]> {
  const objects = await aclObjects.see(appliance, () => true);
  return Promise.all(
    objects.map(async (object) =>
      object.items !== undefined || !canMatch(object.type)
        ? object
        : { ...object, items: await appliance.acl.listRecords({ objectId: object.id }) },
    ),
  );
}
