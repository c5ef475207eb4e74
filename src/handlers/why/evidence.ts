import {
  type AclObject,
  type AclRecord,
  type ApplianceFailure,
  type AskedAppliance,
  type Categorization,
  IncompleteList,
  isApplianceFailure,
  type SslRule,
  type WebsiteAnalysis,
} from '../../api/index.ts';
import { aclObjects, sslRules } from '../acl/objects.ts';
import { recordsOf } from '../acl/records.ts';
import { expectTold, tellsNone } from '../category/sites.ts';
import type { PendingChange } from '../context.ts';
import { canMatch } from './kinds.ts';

export type EvidenceSource<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: ApplianceFailure };

export interface Evidence {
  readonly domain: string;
  readonly categories: EvidenceSource<Categorization>;
  /** Objects that could match a domain include their records. */
  readonly objects: EvidenceSource<readonly AclObject[]>;
  readonly sslRules: EvidenceSource<readonly SslRule[]>;
  readonly website: EvidenceSource<WebsiteAnalysis>;
  readonly pending: readonly PendingChange[];
}

/** Asks all sources in parallel. A failure does not hide the others; rejects if all fail. */
export async function gather(
  appliance: AskedAppliance,
  domain: string,
  pendingChanges: () => Promise<readonly PendingChange[]>,
): Promise<Evidence> {
  const [categories, objects, ssl, website, waiting] = await Promise.all([
    ask(categoriesOf(appliance, domain)),
    ask(objectsWithRecords(appliance)),
    ask(sslRules.see(appliance, () => true)),
    ask(appliance.analysis.website({ domain })),
    pendingChanges(),
  ]);
  const sources = [categories, objects, ssl, website];
  if (!categories.ok && sources.every(({ ok }) => !ok)) throw categories.failure;
  return { domain, categories, objects, sslRules: ssl, website, pending: waiting };
}

const names = {
  categories: 'its categories',
  objects: 'the ACL objects',
  sslRules: 'the SSL rules',
  website: 'the test of the website',
} as const;
const allSources = ['categories', 'objects', 'sslRules', 'website'] as const;

/** The failed sources, by name. For an address there is no website test, so that is not missing. */
export const unaskedOf = (
  evidence: Evidence,
  sources: readonly (keyof typeof names)[] = allSources,
): readonly string[] =>
  sources.flatMap((name) => {
    const source = evidence[name];
    const isRead = source.ok ? isWhole(evidence, name) : source.failure.code === 'bad_argument';
    return isRead ? [] : [names[name]];
  });

/** Whether a source covers everything about the domain: an object with unreadable rules may block it. */
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

/** An empty answer counts only if the appliance states that there are none. */
async function categoriesOf(appliance: AskedAppliance, domain: string): Promise<Categorization> {
  const found = await appliance.categories.query({ domain });
  const { categories } = found;
  expectTold([{ site: domain, categories, isTold: categories.length > 0 || tellsNone(categories) }]);
  return found;
}

/** @throws IncompleteList if some are missing */
async function wholeRecords(appliance: AskedAppliance, object: AclObject): Promise<readonly AclRecord[]> {
  const { all, lack } = await recordsOf(appliance, object);
  if (lack === undefined) return all;
  throw new IncompleteList(lack, { operation: 'acl.listRecords', sent: 'yes' });
}

/** Asks for the records that the list of objects leaves out: not reported is not none. */
async function objectsWithRecords(appliance: AskedAppliance): Promise<readonly AclObject[]> {
  const objects = await aclObjects.see(appliance, () => true);
  return Promise.all(
    objects.map(async (object) =>
      object.items !== undefined || !canMatch(object.type)
        ? object
        : { ...object, items: [...(await wholeRecords(appliance, object))] },
    ),
  );
}
