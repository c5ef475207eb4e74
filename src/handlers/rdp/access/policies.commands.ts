import { distance } from 'fastest-levenshtein';
import type { RdpPolicy } from '../../../api/index.ts';
import { type Argument, nameOrNumber, word } from '../../argument.ts';
import { change, lookup } from '../../declare.ts';
import { answeredFrom, countText } from '../../listing.ts';
import { code, enumerate, fieldList, say, strong, type Text, tableOf } from '../../reply.ts';
import { digestOf, nothing, type Preview } from '../../results.ts';
import { audited, namesOf, numbered, shownFields, stateOf, yesOrNo } from '../shown.ts';
import { thing, withId } from '../thing.ts';
import {
  goneText,
  type LinkKind,
  linkKinds,
  linksOf,
  patternsOf,
  policy,
  policies as rdpPolicies,
  switchable,
} from '../things.ts';
import {
  beforeOf,
  changesIn,
  compare,
  isSo,
  known,
  nameFieldOf,
  replacementOf,
  type SetFields,
  setFields,
  switches,
} from './fields.ts';

const aPolicy = thing({ kind: 'policy', list: rdpPolicies, identityOf: switchable });

/**
 * The words of `--allow` and `--forbid`: rights of a policy in a session, which are its fields named `allow_*` (appliance-api.md
 * §2.14), without "allow_": `clipboard, file_transfer`.
 */
const rightsList: Argument<readonly string[]> = {
  what: 'rights, such as clipboard, printers',
  example: 'clipboard, printers',
  input: 'text',
  read: (typed) => {
    const rights = typed
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== '' && word !== 'and')
      .map((word) => word.replaceAll('-', '_').replace(/^allow_/, ''));
    return rights.length > 0 &&
      rights.length <= 40 &&
      rights.every((right) => /^[a-z0-9_]{1,60}$/.test(right))
      ? { ok: true, value: [...new Set(rights)] }
      : { ok: false, problem: { code: 'malformed', wanted: 'names of rights with commas between them' } };
  },
};

export const policies = lookup({
  phrase: 'rdp policies',
  says: `
    list policies / rdp policies / which policies exist / who can reach which servers /
    access rules of remote desktop / who may reach the server / all policies /
    who is allowed where on remote desktop / who may reach which rdp servers / rdp permissions /
    overview of rdp policies / which policies are there / which rdp policies are there / how many policies /
    explain the rdp policies / list of policies / what policies exist / all rdp policies /
    which rules has rdp / who may do what on rdp / policies of remote desktop / which rdp rules exist /
    what rdp rules are there / who may go where by rdp / list the access rules of remote desktop /
    remote desktop policies / rules for remote access
  `,
  summary: 'List remote-desktop policies: members, targets, rights',
  answer: answeredFrom(
    () => rdpPolicies,
    (look) => {
      const { all } = look;
      const off = all.filter(({ enabled }) => enabled === false).length;
      return {
        headline: say`${countText(look, 'remote-desktop policy', 'remote-desktop policies')}${off === 0 ? '' : `, ${off} disabled`}`,
        details: [
          ...tableOf(all, {
            ID: ({ id }) => id,
            Name: nameOrNumber,
            State: stateOf,
            Allows: rightsText,
            Members: (one) => linkedTo(one, 'member', 'names'),
            Targets: (one) => linkedTo(one, 'target', 'names'),
          }),
        ],
      };
    },
  ),
});

export const show = lookup({
  phrase: 'rdp policy <policy>',
  byNameAlone: true,
  says: `
    show policy <policy> / who is in policy <policy> / details of policy <policy> /
    what does policy <policy> allow / members of policy <policy> /
    what rights does rdp policy <policy> give / who is in rdp policy <policy> / what is in policy <policy> /
    what can policy <policy> do / who belongs to policy <policy> / which servers has policy <policy> /
    which targets are in <policy> / which members are in <policy> / is policy <policy> active /
    is policy <policy> enabled / explain policy <policy> / what does <policy> allow / rights of <policy> /
    did somebody disable policy <policy> / who is in <policy> / show me policy <policy> /
    when may policy <policy> be used / who may use policy <policy> / where may policy <policy> connect
  `,
  args: { policy },
  summary: 'Show a remote-desktop policy with its rights and links',
  example: 'rdp policy 5',
  answer: async ({ appliance, args }) => {
    const found = await appliance.rdp.getPolicy({ id: args.policy.id });
    return {
      headline: say`Policy ${strong(nameOrNumber(found))} is ${stateOf(found)}`,
      details: [fieldList(shownFields(found.fields))],
    };
  },
});

const switched = aPolicy.switching({
  look: async (found) => ({
    fields: {
      State: stateOf(found),
      Members: linkedTo(found, 'member'),
      Targets: linkedTo(found, 'target'),
      ...audited,
    },
    fingerprint: switchable(found),
  }),
});

export const enable = change({
  ...switched('enable'),
  phrase: 'rdp policy enable <policy>',
  says: `
    enable policy <policy> / activate policy <policy> / turn policy <policy> on /
    turn on rdp policy <policy> / activate remote desktop policy <policy> again / resume policy <policy> /
    switch on policy <policy> / switch policy <policy> on / reactivate <policy> /
    enable rdp policy <policy> / policy <policy> on / policy <policy> on again /
    let people use policy <policy> again
  `,
  args: { policy },
  summary: 'Enable a remote-desktop policy',
  example: 'rdp policy enable "Legacy access"',
  run: ({ appliance, args }) => appliance.rdp.enablePolicy({ id: args.policy.id }),
});

export const disable = change({
  ...switched('disable'),
  phrase: 'rdp policy disable <policy>',
  says: `
    disable policy <policy> / suspend policy <policy> / turn policy <policy> off /
    turn off rdp policy <policy> / deactivate remote desktop policy <policy> / pause rdp policy <policy> /
    switch off policy <policy> / switch policy <policy> off / deactivate <policy> /
    disable rdp policy <policy> / suspend access by <policy> / policy <policy> off / stop policy <policy> /
    nobody should use policy <policy> / block policy <policy> / freeze policy <policy>
  `,
  args: { policy },
  summary: 'Disable a remote-desktop policy',
  example: 'rdp policy disable Contractors',
  run: ({ appliance, args }) => appliance.rdp.disablePolicy({ id: args.policy.id }),
});

type Creating = Parameters<typeof rightsOf>[1] & {
  readonly name: string;
  readonly set?: SetFields | undefined;
};

export const create = change({
  ...aPolicy.creating<Creating>({
    nameIn: ({ name }) => name,
    nameOf: ({ name }) => name,
    ask: (all, { args }) => {
      const rights = rightsOf(all, args);
      if ('why' in rights) return rights;
      return {
        fields: changesIn({}, { ...args.set, ...rights.fields }),
        fingerprint: { name: args.name, nameField: nameFieldOf(all, 'name') },
      };
    },
    wanted: (args, { all }) => ({ ...args.set, ...rightsOr(all, args).fields }),
  }),
  phrase: 'rdp policy create <name> [--allow] [--set]',
  says: `
    create policy <name> / new policy <name> / add rdp policy <name> / new rdp policy <name> /
    policy <name> for remote desktop people / set up rdp policy <name> / create an rdp policy <name> /
    make a policy <name> / set up policy <name> / add policy <name> / we need a policy <name> /
    new policy for contractors called <name>
  `,
  also: ['rdp policy add <name> [--allow] [--set]'],
  args: { name: word('a name for the policy', 'Auditors'), allow: rightsList, set: setFields },
  summary: 'Create a remote-desktop policy, without members; rights not allowed are forbidden',
  example: 'rdp policy create Auditors --allow clipboard, printers',
  run: async ({ appliance, args }, { nameField }) => {
    const { fields } = rightsOr(await appliance.rdp.listPolicies(), args);
    return withId(
      appliance.rdp.createPolicy({
        fields: { [String(nameField)]: args.name, ...args.set, ...fields },
      }),
    );
  },
});

export const changePolicy = change({
  ...aPolicy.changing(fieldsIn),
  phrase: 'rdp policy change <policy> [--allow] [--forbid] [--set]',
  says: `
    change policy <policy> / allow clipboard in policy <policy> / forbid file transfer in policy <policy> /
    edit policy <policy> / allow printing in policy <policy> / record sessions of policy <policy> /
    allow clipboard in rdp policy <policy> / forbid copy paste in rdp policy <policy> /
    file transfer in remote desktop policy <policy> / allow printing in rdp /
    change rights of policy <policy> / no more printing with policy <policy> /
    forbid clipboard in policy <policy> / no clipboard in policy <policy> / clipboard for policy <policy> /
    let <policy> use the clipboard / let <policy> copy and paste / no copy and paste for <policy> /
    printers for policy <policy> / no file transfer for <policy> / turn on recording for policy <policy> /
    record policy <policy> / policy <policy> without printing / change the rights of <policy> /
    policy <policy> should be recorded / drives in policy <policy>
  `,
  also: ['rdp policy replace <policy> [--allow] [--forbid] [--set]'],
  args: { policy, allow: rightsList, forbid: rightsList, set: setFields },
  summary: 'Change the rights or other fields of a remote-desktop policy',
  example: 'rdp policy change "ERP users" --forbid clipboard',
  effect: 'write',
  alsoDoes: [
    ...switches('policy', 'policy'),
    // The same right, by its field.
    {
      name: 'rdp policy change',
      with: ({ policy: found, allow, forbid, set }) => {
        const said = rightsIn(known(set));
        const isOtherwise = said.allow.length > 0 || said.forbid.length > 0;
        return isOtherwise
          ? {
              policy: found,
              set,
              allow: [...[allow ?? []].flat(), ...said.allow],
              forbid: [...[forbid ?? []].flat(), ...said.forbid],
            }
          : undefined;
      },
    },
  ],
  preview: async ({ appliance, args }) => {
    const { found, all } = await rdpPolicies.seek(appliance, ({ id }) => id === args.policy.id);
    if (found === undefined) return { kind: 'nothing', why: goneText(appliance, 'policy', args.policy.id) };
    const rights = rightsOf(all, args);
    if ('why' in rights) return rights;
    const changes = { ...args.set, ...rights.fields };
    if (Object.keys(changes).length === 0)
      return nothing`Nothing to change. Add what to change, such as ${code(`/appliance rdp policy change ${found.id} --forbid clipboard`)}.`;
    if (isSo(found.fields, changes))
      return nothing`Policy ${strong(nameOrNumber(found))} already has these values.`;
    return audited({
      question: say`Change policy ${strong(nameOrNumber(found))}?`,
      fields: changesIn(found.fields, changes),
      fingerprint: { ...switchable(found), ...beforeOf(found.fields, changes) },
    });
  },
  run: async ({ appliance, args }) => {
    const found = await appliance.rdp.getPolicy({ id: args.policy.id });
    const changed = replacementOf(found.fields, fieldsIn(args));
    return appliance.rdp.replacePolicy({ id: found.id, fields: changed });
  },
  verify: async ({ appliance, args }) => {
    const found = await appliance.rdp.getPolicy({ id: args.policy.id });
    return compare('changed', `policy ${numbered(found)}`, found.fields, fieldsIn(args));
  },
  beside: ['enabled'],
});

export const remove = change({
  ...aPolicy.deleting(async (found, { appliance }) => {
    const look = await patternsOf().look(appliance);
    const patterns = look.all.filter(({ fields }) => fields.policy === String(found.id));
    const links = (kind: LinkKind) =>
      linksOf(found, kind)
        ?.map(({ id }) => id)
        .join(',') ?? null;
    return {
      question: say`Delete the remote-desktop policy ${strong(nameOrNumber(found))}?`,
      fields: {
        State: stateOf(found),
        Allows: rightsText(found),
        ...Object.fromEntries(linkKinds.map((kind) => [headings[kind], linkedTo(found, kind)])),
        'Own patterns':
          patterns.length === 0
            ? say`${look.lack === undefined ? 'none' : 'not reported'}`
            : say`${patterns.map(nameOrNumber).join(', ')}; whether they are deleted too is undocumented`,
      },
      fingerprint: {
        ...Object.fromEntries(linkKinds.map((kind) => [kind, links(kind)])),
        patterns: digestOf(patterns.map(({ id, name }) => [id, name ?? null])),
      },
    };
  }),
  phrase: 'rdp policy delete <policy>',
  says: `
    delete policy <policy> / remove policy <policy> / erase rdp policy <policy> /
    remove remote desktop policy <policy> / policy <policy> is not needed any more /
    delete rdp policy <policy> / drop policy <policy> / policy <policy> must go /
    get rid of policy <policy> / remove rdp policy <policy> for good
  `,
  args: { policy },
  summary: 'Delete a remote-desktop policy',
  example: 'rdp policy delete "Legacy access"',
  run: ({ appliance, args }) => appliance.rdp.deletePolicy({ id: args.policy.id }),
});

function fieldsIn(
  args: Parameters<typeof rightsOf>[1] & { readonly set?: SetFields | undefined },
): SetFields {
  return { ...args.set, ...rightsOr([], args).fields };
}

/** The rights as fields; the preview has validated them. */
function rightsOr(...[all, wanted]: Parameters<typeof rightsOf>) {
  const rights = rightsOf(all, wanted);
  return 'why' in rights ? { fields: {} } : rights;
}

const headings = {
  network: 'Networks',
  schedule: 'Schedules',
  member: 'Members',
  target: 'Targets',
} as const;

function linkedTo(
  found: RdpPolicy,
  kind: LinkKind,
  manner: 'names and IDs' | 'names' = 'names and IDs',
): Text {
  const linked = linksOf(found, kind);
  if (linked === undefined) return say`not reported`;
  const shown =
    manner === 'names'
      ? linked.map(({ id, name }) => (name === '' ? { id, name } : { id: '', name }))
      : linked;
  return say`${namesOf(shown)}`;
}

/**
 * The wanted rights as fields with 1 and 0, in the appliance's own spelling (§3); or the reason for a refusal.
 * A right that no policy has is a typing mistake. Without policies nothing is known, and the names are taken as
 * typed.
 */
function rightsOf(
  policies: readonly RdpPolicy[],
  wanted: {
    readonly allow?: readonly string[] | undefined;
    readonly forbid?: readonly string[] | undefined;
  },
): { readonly fields: SetFields } | Extract<Preview, { kind: 'nothing' }> {
  const known = [...new Set(policies.flatMap(namesIn))];
  const { allow, forbid } = { allow: wanted.allow ?? [], forbid: wanted.forbid ?? [] };
  const both = allow.find((right) => forbid.includes(right));
  if (both !== undefined)
    return { kind: 'nothing', why: say`${code(both)} cannot be both allowed and forbidden.` };
  const unknown = [...allow, ...forbid].find(
    (right) => known.length > 0 && fieldFor(known, right) === undefined,
  );
  if (unknown !== undefined) {
    const rights = known
      .map(bare)
      .toSorted((one, other) => distance(one, unknown) - distance(other, unknown));
    return {
      kind: 'nothing',
      why: say`Unknown right ${code(unknown)}. Available rights: ${enumerate(rights.map((right) => code(right)))}.`,
    };
  }
  const field = (right: string) => fieldFor(known, right) ?? `allow_${right}`;
  return {
    fields: Object.fromEntries([
      ...allow.map((right) => [field(right), '1'] as const),
      ...forbid.map((right) => [field(right), '0'] as const),
    ]),
  };
}

/** Rights that were set by API field names; a value that is neither yes nor no may mean either. */
function rightsIn(set: SetFields): {
  readonly allow: readonly string[];
  readonly forbid: readonly string[];
} {
  const rights = Object.entries(set).filter(([name]) => /^allow_./i.test(name));
  const those = (given: boolean) =>
    rights.flatMap(([name, value]) => (yesOrNo(value) === !given ? [] : [bare(name)]));
  return { allow: those(true), forbid: those(false) };
}

/** "clipboard, printers", or that it allows nothing. */
function rightsText({ rights, ...policy }: RdpPolicy): Text {
  const allowed = Object.entries(rights).flatMap(([name, given]) => (given ? [bare(name)] : []));
  if (allowed.length > 0) return say`${allowed.map((right) => right.replaceAll('_', ' ')).join(', ')}`;
  return say`${namesIn({ rights, ...policy }).length === 0 ? 'not reported' : 'nothing'}`;
}

const namesIn = ({ fields }: RdpPolicy): readonly string[] =>
  Object.keys(fields).filter((name) => /^allow_/i.test(name));
const bare = (name: string): string => name.toLowerCase().replace(/^allow_/, '');
const fieldFor = (known: readonly string[], right: string): string | undefined =>
  known.find((name) => bare(name) === right);
