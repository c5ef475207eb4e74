import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { SimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type Appliance, connectAppliance, type OperationName, operations } from '../src/api/index.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments for the operations that take some, so that the simulated company has what they name. */
export const given: Partial<
  Record<OperationName, (simulated: SimulatedAppliance) => Arguments | Promise<Arguments>>
> = {
  'acl.listRecords': object,
  'acl.findRecords': () => ({ pattern: 'google' }),
  'acl.disableObject': object,
  'acl.enableObject': object,
  'acl.deleteObject': object,
  'acl.addRecordsByPath': (simulated) => ({ ...object(simulated), records: ['a.example', 'b.example'] }),
  'acl.addRecord': (simulated) => ({
    ...object(simulated),
    pattern: '^a/,ü.$',
    uid: 'alice',
    description: '4711',
  }),
  'acl.disableRecord': item,
  'acl.enableRecord': item,
  'acl.deleteRecord': item,
  'categories.query': () => ({ domain: 'example.com' }),
  'categories.create': () => ({ name: 'partners', description: 'Who works with us' }),
  'categories.addSite': () => ({ id: 252, site: 'new.example' }),
  'categories.addSitesAndApply': () => ({ id: 252, sites: ['new.example', 'newer.example'] }),
  'categories.moveSite': () => ({ id: 252, site: 'example.com', nextId: 2 }),
  'categories.deleteSite': () => ({ id: 252, site: 'example.com' }),
  'categories.addSites': () => ({ id: 252, sites: ['new.example', 'newer.example'] }),
  'categories.compile': () => ({ id: 252 }),
  'analysis.website': () => ({ domain: 'example.com:443' }),
  'sqldb.createUser': () => ({ user: 'crm', host: '%', password: 'correct-horse' }),
  'sqldb.grantUser': sqlUser,
  'sqldb.revokeUser': sqlUser,
  'sqldb.postUser': sqlAccount,
  'sqldb.getPrivileges': sqlAccount,
  'sqldb.grantDatabase': sqlGrant,
  'sqldb.revokeDatabase': sqlGrant,
  'sqldb.createDatabase': () => ({ database: 'crm_new' }),
  'sqldb.deleteDatabase': ({ state }) => ({ database: [...state.sqldb.databases.keys()].at(-1) }),
  'rdp.createMember': () => ({ username: 'new.member', password: 'correct-horse', endOfLife: 1_900_000_000 }),
  'rdp.getMember': member,
  'rdp.replaceMember': (simulated) => ({ ...member(simulated), username: 'renamed' }),
  'rdp.deleteMember': member,
  'rdp.createTarget': () => ({ fields: { name: 'srv-new-01', address: '10.20.3.4' } }),
  'rdp.getTarget': target,
  'rdp.replaceTarget': (simulated) => ({
    ...target(simulated),
    fields: { name: 'srv-new-02', address: '10.20.3.5' },
  }),
  'rdp.deleteTarget': target,
  'rdp.enableTarget': target,
  'rdp.disableTarget': target,
  'rdp.createPolicy': () => ({ fields: { name: 'partners', allow_clipboard: '1' } }),
  'rdp.getPolicy': policy,
  'rdp.replacePolicy': (simulated) => ({
    ...policy(simulated),
    fields: { name: 'renamed', allow_clipboard: '0' },
  }),
  'rdp.deletePolicy': policy,
  'rdp.enablePolicy': policy,
  'rdp.disablePolicy': policy,
  'rdp.linkNetwork': (simulated) => link(simulated, 'networks', false),
  'rdp.linkSchedule': (simulated) => link(simulated, 'schedules', false),
  'rdp.linkMember': (simulated) => link(simulated, 'members', false),
  'rdp.linkTarget': (simulated) => link(simulated, 'targets', false),
  'rdp.unlinkNetwork': (simulated) => link(simulated, 'networks', true),
  'rdp.unlinkSchedule': (simulated) => link(simulated, 'schedules', true),
  'rdp.unlinkMember': (simulated) => link(simulated, 'members', true),
  'rdp.unlinkTarget': (simulated) => link(simulated, 'targets', true),
  'rdp.listPatterns': () => ({ policy: 0 }),
  'rdp.createPattern': () => ({ policy: 0, fields: { pattern: 'format c:', action: 'disconnect' } }),
  'rdp.replacePattern': (simulated) => ({
    ...pattern(simulated),
    fields: { pattern: 'rm -rf', action: 'notify' },
  }),
  'rdp.deletePattern': pattern,
  'rdp.disconnectSession': () => ({ id: 12 }),
  'rdp.deleteVideo': ({ state }) => ({ id: first(state.rdp.videos) }),
  'rdp.listEvents': () => ({ limit: 20 }),
  'rdp.resetMfa': username,
  'rdp.unlockMfa': username,
  'rdp.exemptFromMfa': username,
  'rdp.setTlsCiphers': ({ state }) => ({
    fields: { ciphers: state.rdp.tls.supported.slice(0, 2).join(':') },
  }),
  'software.install': ({ state }) => {
    const [[productKey, versions] = ['', []]] = state.software.collection;
    return { productKey, keyVer: versions[0]?.keyVer };
  },
  'vlan.start': () => ({ id: 5 }),
  'vlan.reconfigure': () => ({ id: 1 }),
  'vlan.stop': () => ({ id: 1 }),
  'vlan.unlink': () => ({ id: 1 }),
  'authdns.addDomain': () => ({ domain: 'new.example' }),
  'ftpd.findEvents': () => ({ search: 'login failed', max: 50 }),
  'directory.enableDownloadProxy': () => ({ host: '10.20.0.9', port: 3128 }),
  'directory.updateEngine': () => ({ key: 1191 }),
  'directory.uploadShellPackage': async () => ({
    file: { bytes: await shellPackage(), name: 'package.zip' },
  }),
  'directory.uploadHotfix': archive,
  'directory.uploadServicePack': archive,
  'directory.uploadServicePackAlternate': archive,
  'mirror.listEvents': () => ({ limit: 5 }),
  'mirror.dailyEvents': () => ({ days: 7 }),
};

/** Steps that must come before an operation answers. */
const before: Partial<
  Record<OperationName, (simulated: SimulatedAppliance, appliance: Appliance) => unknown>
> = {
  'sqldb.revokeDatabase': (company, { sqldb }) => {
    const { database = '', username: user = '', host = '' } = sqlGrant(company);
    return sqldb.grantDatabase({ database, username: user, host });
  },
  'directory.removeGlobalEmergency': globalEmergency,
  'directory.removeGlobalEmergencyV2': globalEmergency,
};

function globalEmergency({ state }: SimulatedAppliance) {
  state.directory.globalEmergency = true;
}

function first(map: ReadonlyMap<number, unknown>): number {
  const [id = -1] = map.keys();
  return id;
}
export function object({ state }: SimulatedAppliance) {
  return { objectId: first(state.acl.objects) };
}
function item({ state }: SimulatedAppliance) {
  const [one] = state.acl.objects.values();
  return { itemId: first(one?.records ?? new Map()) };
}
function member({ state }: SimulatedAppliance) {
  return { id: first(state.rdp.members) };
}
function target({ state }: SimulatedAppliance) {
  return { id: first(state.rdp.targets) };
}
function policy({ state }: SimulatedAppliance) {
  return { id: first(state.rdp.policies) };
}
function pattern({ state }: SimulatedAppliance) {
  return { id: first(state.rdp.patterns) };
}
function username({ state }: SimulatedAppliance) {
  const [one] = state.rdp.members.values();
  return { username: one?.username };
}
function sqlUser({ state }: SimulatedAppliance) {
  const { user, host } = state.sqldb.users.at(-1) ?? {};
  return { user, host };
}
function sqlAccount(simulated: SimulatedAppliance) {
  const { user, host } = sqlUser(simulated);
  return { username: user, host };
}
function sqlGrant(simulated: SimulatedAppliance) {
  return { ...sqlAccount(simulated), database: [...simulated.state.sqldb.databases.keys()].at(-1) };
}
/** Something that a policy is linked to, or is not. */
function link(
  { state }: SimulatedAppliance,
  kind: 'networks' | 'schedules' | 'members' | 'targets',
  linked: boolean,
) {
  for (const { id, links } of state.rdp.policies.values()) {
    const sub = [...state.rdp[kind].keys()].find((one) => links[kind].has(one) === linked);
    if (sub !== undefined) return { id, sub };
  }
  throw new Error(`No policy has ${linked ? 'a' : 'room for another'} link to ${kind}.`);
}
function archive() {
  return { file: { bytes: Buffer.from('not really an archive'), name: 'hotfix-20261118-04.tgz' } };
}
async function shellPackage() {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('#!/bin/sh\nSCRIPT_ID=check1\nexit 0\n'), 'shell.sh');
  zip.end();
  return buffer(zip.outputStream);
}

/** The key of the simulated appliances that `connect` connects to. */
export const key = 'web-api-key';

/** Each service at the address that is its own. */
export function connect({ urls: { web, directory, mirror, mirrorConsole } }: SimulatedAppliance): Appliance {
  return connectAppliance({
    name: 'lab',
    url: web,
    directoryUrl: directory,
    mirrorUrl: mirror,
    mirrorConsoleUrl: mirrorConsole,
    key,
    shellPassword: 'correct-horse',
  });
}

/** The operations that are called with something. */
export const withArguments: ReadonlySet<string> = new Set(
  [...operations].flatMap(([name, { slots, query, body }]) =>
    body === undefined && Object.keys({ ...slots, ...query }).length === 0 ? [] : [name],
  ),
);

/** Calls an operation as it stands above. */
export async function call(
  name: OperationName,
  simulated: SimulatedAppliance,
  appliance: Appliance,
): Promise<unknown> {
  const [area = '', own = ''] = name.split('.');
  const calls: unknown = Reflect.get(appliance, area);
  const one: unknown = Reflect.get(Object(calls), own);
  if (typeof one !== 'function') throw new Error(`There is no call ${name}.`);
  if (withArguments.has(name) && !Object.hasOwn(given, name)) {
    throw new Error(
      `Add to \`given\` in test/operations.ts what it is called with: '${name}': () => ({ … }),`,
    );
  }
  await before[name]?.(simulated, appliance);
  const wanted = await given[name]?.(simulated);
  return wanted === undefined ? one() : one(wanted);
}
