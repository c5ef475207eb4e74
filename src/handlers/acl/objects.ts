import { type AclObject, type AskedAppliance, isApplianceFailure, type SslRule } from '../../api/index.ts';
import { type Argument, type Named, named } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { code, enumerate, say, strong, type Text } from '../reply.ts';
import type { Preview } from '../results.ts';

/** ACL objects (appliance-api.md §2.1), as commands speak of them. */

/** What the Web API keeps beside its ACL objects and SSL rules is there. */
const hasCategories = async ({ categories }: AskedAppliance): Promise<boolean> =>
  (await categories.list()).length > 0;

export const aclObjects = listing<AclObject>({
  things: 'ACL objects',
  read: ({ acl }) => acl.listObjects(),
  keyOf: ({ id }) => id,
  isUp: hasCategories,
});

export const sslRules = listing<SslRule>({
  things: 'SSL rules',
  read: ({ ssl }) => ssl.listRules(),
  keyOf: ({ id }) => id,
  isUp: hasCategories,
});

/** An ACL object, by its number or its name. */
export const object: Argument<Named> = named('an ACL object', '12', (appliance) =>
  listedIn(aclObjects, appliance, ({ id, name = '', type }) => ({
    id,
    name,
    ...(type === undefined ? {} : { hint: type }),
  })),
);

export const findObject = async (
  appliance: AskedAppliance,
  { id }: Pick<Named, 'id'>,
): Promise<AclObject | undefined> => (await aclObjects.seek(appliance, (one) => one.id === id)).found;

export const gone = (appliance: string, id: number): Preview => ({
  kind: 'nothing',
  why: goneText(appliance, id),
});

/** The same words, where only they are wanted. */
export const goneText = (appliance: string, id: number): Text =>
  say`ACL object ${id} no longer exists on ${strong(appliance)}. ${code('/appliance acl objects')} lists all objects.`;

/** What people call it. */
export const nameOf = ({
  id,
  name,
}: Pick<AclObject, 'id'> & { readonly name?: string | undefined }): string =>
  name === undefined || name === '' ? `number ${id}` : name;

export const stateOf = ({ enabled }: { readonly enabled?: boolean }): string =>
  enabled === undefined ? 'not reported' : enabled ? 'enabled' : 'disabled';

/** The rules that use an object, by name. Undefined is what the appliance did not tell. */
export interface Users {
  readonly rules: readonly string[] | undefined;
  readonly sslRules: readonly string[] | undefined;
}

/** An object tells the rules that use it; those of SSL inspection tell their objects (§2.4). */
export async function usersOf(appliance: AskedAppliance, found: AclObject): Promise<Users> {
  return { rules: ruleNames(found), sslRules: await sslRulesWith(appliance, found) };
}

/** "rules Guests and Offices, and SSL rule Banks stay private", "no rule" */
export function usedBy({ rules, sslRules }: Users): Text {
  const told = [...kindOf('rule', rules ?? []), ...kindOf('SSL rule', sslRules ?? [])];
  const untold = [
    ...(rules === undefined ? [say`other rules are not reported`] : []),
    ...(sslRules === undefined ? [say`SSL rules could not be read`] : []),
  ];
  const known = told.length > 0 ? enumerate(told) : say`no rule`;
  return untold.length === 0 ? known : say`${known} (${enumerate(untold)})`;
}

/** For the fingerprint: with other users, it is another question. */
export const usersAsText = ({ rules, sslRules }: Users): string =>
  [rules?.join(', ') ?? '?', sslRules?.join(', ') ?? '?'].join(' / ');

const kindOf = (kind: string, names: readonly string[]): readonly Text[] =>
  names.length === 0 ? [] : [say`${kind}${names.length === 1 ? '' : 's'} ${enumerate(names)}`];

const ruleNames = ({ rules }: AclObject): readonly string[] | undefined =>
  rules?.map(({ id, name }) => (name === undefined || name === '' ? `number ${id}` : name));

/** For a list of many objects, where the rules of SSL inspection stand elsewhere. */
export function rulesOf(found: AclObject): Text {
  const names = ruleNames(found);
  if (names === undefined) return say`not reported`;
  return names.length === 0 ? say`none` : enumerate(names);
}

/** Undefined when the appliance does not tell its SSL rules: an older release, or a failure. */
async function sslRulesWith(
  appliance: AskedAppliance,
  { id }: Pick<AclObject, 'id'>,
): Promise<readonly string[] | undefined> {
  try {
    // That none uses it is said of all rules only.
    const rules = await sslRules.see(appliance, () => true);
    // One whose objects were not understood may use it.
    if (rules.some(({ unread = {} }) => 'Objects' in unread)) return undefined;
    return rules
      .filter(({ objects = [] }) => objects.some((one) => one.id === id))
      .map((rule) => (rule.name === undefined || rule.name === '' ? `number ${rule.id}` : rule.name));
  } catch (error) {
    if (isApplianceFailure(error)) return undefined;
    throw error;
  }
}

/** "a, b, c and 12 more" */
export function some(words: readonly string[], most = 5): Text {
  const shown = words.slice(0, most);
  const left = words.length - shown.length;
  return enumerate(left === 0 ? shown : [...shown, `${left} more`]);
}
