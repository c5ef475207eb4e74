import { type AclObject, type AskedAppliance, isApplianceFailure, type SslRule } from '../../api/index.ts';
import { type Argument, type Named, named, nameOrNumber } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { code, enumerate, say, strong, type Text } from '../reply.ts';
import type { Preview } from '../results.ts';

/** ACL objects (appliance-api.md §2.1), as commands use them. */

/** Categories are stored beside ACL objects and SSL rules, so a list of them shows that the storage is readable. */
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

/** By number or name. */
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

export const goneText = (appliance: string, id: number): Text =>
  say`ACL object ${id} no longer exists on ${strong(appliance)}. ${code('/appliance acl objects')} lists all objects.`;

export const stateOf = ({ enabled }: { readonly enabled?: boolean }): string =>
  enabled === undefined ? 'not reported' : enabled ? 'enabled' : 'disabled';

/** The rules that use an object, by name. Undefined: the appliance did not report them. */
export interface Users {
  readonly rules: readonly string[] | undefined;
  readonly sslRules: readonly string[] | undefined;
}

/** An object reports the rules that use it. The rules of SSL inspection report their objects (§2.4). */
export async function usersOf(appliance: AskedAppliance, found: AclObject): Promise<Users> {
  return { rules: ruleNames(found), sslRules: await sslRulesWith(appliance, found) };
}

export function usedBy({ rules, sslRules }: Users): Text {
  const told = [...kindOf('rule', rules ?? []), ...kindOf('SSL rule', sslRules ?? [])];
  const untold = [
    ...(rules === undefined ? [say`other rules are not reported`] : []),
    ...(sslRules === undefined ? [say`SSL rules could not be read`] : []),
  ];
  const known = told.length > 0 ? enumerate(told) : say`no rule`;
  return untold.length === 0 ? known : say`${known} (${enumerate(untold)})`;
}

/** For the fingerprint: different users need a new confirmation. */
export const usersAsText = ({ rules, sslRules }: Users): string =>
  [rules?.join(', ') ?? '?', sslRules?.join(', ') ?? '?'].join(' / ');

const kindOf = (kind: string, names: readonly string[]): readonly Text[] =>
  names.length === 0 ? [] : [say`${kind}${names.length === 1 ? '' : 's'} ${enumerate(names)}`];

const ruleNames = ({ rules }: AclObject): readonly string[] | undefined => rules?.map(nameOrNumber);

/** For a list of many objects, without the rules of SSL inspection. */
export function rulesOf(found: AclObject): Text {
  const names = ruleNames(found);
  if (names === undefined) return say`not reported`;
  return names.length === 0 ? say`none` : enumerate(names);
}

/** Undefined if the appliance does not report its SSL rules: an older release, or a failure. */
async function sslRulesWith(
  appliance: AskedAppliance,
  { id }: Pick<AclObject, 'id'>,
): Promise<readonly string[] | undefined> {
  try {
    // Only the whole list of rules shows that none uses it.
    const rules = await sslRules.see(appliance, () => true);
    // A rule with unreadable objects may use it.
    if (rules.some(({ unread = {} }) => 'Objects' in unread)) return undefined;
    return rules.filter(({ objects = [] }) => objects.some((one) => one.id === id)).map(nameOrNumber);
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
