import { describe, expect, test } from 'vitest';
import { anySubjectOf } from '../src/action/authority/authority.ts';
import { decide } from '../src/auth/decide.ts';
import { everyone, type Policy, shippedRoles } from '../src/auth/policy.ts';
import type { ChannelSharing, Identity, PersonKind } from '../src/auth/request.ts';
import { nameOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';
import { holdersOf, policyOf, servedTo, toRun } from './policy.ts';

const roles = ['viewer', 'helpdesk', 'operator', 'approver', 'admin'] as const;
type Role = (typeof roles)[number];

/**
 * Which role may run which command, written by hand and not taken from the declarations. The letters are those of the
 * roles above, in their order; `all` is everybody, everywhere, with a role or without. In the second column, what a
 * command does: `looks`, `changes`, or `leads` to changes, each of which is decided as itself.
 */
const table = `
VHOPA looks    acl find, acl object, acl objects, acl records
--O-A changes  acl compile, acl object delete, acl object disable, acl object enable
--O-A changes  acl record add, acl record delete, acl record disable, acl record enable
VHOPA looks    analyze
VHOPA looks    appliance version, appliance list
--O-A changes  apply
--O-A changes  authentication reconfigure
VHOPA looks    can, who can
VHOPA looks    categorize
VHOPA looks    category list, category show
--O-A changes  category add, category backup, category compile, category create, category delete, category move
VHOPA looks    directory status
--O-A changes  directory connect kerberos, directory connect ntlm
--O-A changes  directory disconnect kerberos, directory disconnect ntlm
VHOPA looks    dns domains, dns firewall status, dns statistics, dns status
--O-A changes  dns domain add, dns reload, dns restart
VHOPA looks    download proxy
--O-A changes  download proxy disable, download proxy enable
VHOPA looks    emergency status
--O-A changes  emergency confirm over, emergency disable, emergency enable, emergency extend, emergency remove
VHOPA looks    engine versions
--O-A changes  engine refresh, engine update
--O-A changes  filter compile
VHOPA looks    ftp events, ftp status
--O-A changes  ftp install, ftp restart, ftp uninstall
----A looks    audit everywhere
VHOPA looks    audit, timeline, show, share
VHOPA looks    watch status, watch directory, watch mirror, watch disk, watch rdp denied, watch updates
VHOPA looks    temporary
VHOPA leads    temporary end, temporary extend, temporary keep
VHOPA looks    planned, planned cancel, planned freezes
VHOPA leads    planned move
VHOPA looks    plans
VHOPA leads    plan leave, plan stop
VHOPA looks    watches, schedule
VHOPA leads    unwatch
all   looks    help
VHOPA looks    mfa users
--O-A changes  mfa exempt, mfa reset, mfa unlock
VHOPA looks    mirror clients, mirror daily, mirror disk, mirror events, mirror health, mirror server stats
VHOPA looks    mirror stats, mirror status, mirror sync stats, mirror updates
--O-A changes  mirror sync
VHOPA looks    network interfaces
VHOPA looks    pending
--O-A changes  plan, plan continue, plan rollback
VHOPA looks    proxy authentication, proxy metrics, proxy ports
--O-A changes  proxy reconfigure, proxy reset
VHOPA looks    rdp ciphers, rdp events, rdp member, rdp members, rdp patterns, rdp policies, rdp policy
VHOPA looks    rdp sessions, rdp siem status, rdp state, rdp status, rdp target, rdp targets, rdp videos
-HO-A changes  rdp disconnect
--O-A changes  rdp ciphers set, rdp restart, rdp video delete
--O-A changes  rdp member change, rdp member create, rdp member delete, rdp member password
--O-A changes  rdp pattern change, rdp pattern create, rdp pattern delete
--O-A changes  rdp policy change, rdp policy create, rdp policy delete, rdp policy disable, rdp policy enable
--O-A changes  rdp policy link member, rdp policy link network, rdp policy link schedule, rdp policy link target
--O-A changes  rdp policy unlink member, rdp policy unlink network
--O-A changes  rdp policy unlink schedule, rdp policy unlink target
--O-A changes  rdp target change, rdp target create, rdp target delete
--O-A changes  rdp target disable, rdp target enable, rdp target password
VHOPA looks    requests
VHOPA looks    resolver
--O-A changes  resolver apply
VHOPA looks    services
VHOPA looks    software list
--O-A changes  software install, software refresh
VHOPA looks    sql databases, sql processes, sql user, sql users
--O-A changes  sql database create, sql database delete, sql database grant, sql database revoke
--O-A changes  sql restart, sql user create, sql user grant, sql user revoke
----A changes  sql user post
VHOPA looks    ssl rule, ssl rules
--O-A changes  ssl build
VHOPA looks    status
VHOPA looks    upgrade status
--O-A changes  upgrade hotfix, upgrade service-pack, upgrade shell
VHOPA looks    version
VHOPA looks    vlan interface, vlan list
--O-A changes  vlan build, vlan install, vlan reconfigure, vlan start, vlan stop, vlan uninstall, vlan unlink
VHOPA leads    withdraw
all   looks    whoami
all   looks    bye, hello, thanks
self  looks    ask
VHOPA looks    undo
VHOPA looks    cancel
all   looks    approvals
VHOPA looks    again
VHOPA looks    more
VHOPA looks    why
`;

interface Row {
  readonly name: string;
  /** `self`: no role gives it, and a policy without a section for it lets nobody. */
  readonly roles: readonly Role[] | 'all' | 'self';
  readonly does: string;
}

const rows: readonly Row[] = [...table.matchAll(/^(\S+) +(looks|changes|leads) +(.+)$/gm)].flatMap(
  ([, letters = '', does = '', names = '']) =>
    names.split(', ').map((name) => ({
      name,
      roles:
        letters === 'all' || letters === 'self'
          ? letters
          : roles.filter((_, index) => letters[index] !== '-'),
      does,
    })),
);

describe('the table of commands and roles', () => {
  const written = rows.map(({ name }) => name);
  const declared = commands.map(nameOf);

  test('has a row for every command', () => {
    const advice = commands
      .filter((command) => !written.includes(nameOf(command)))
      .map(
        (command) =>
          `Add to the table of test/permissions.test.ts, with - for the letter of each role that may not run it: VHOPA ${
            command.effect === 'read' ? 'looks   ' : command.kind === 'info' ? 'leads   ' : 'changes '
          } ${nameOf(command)}`,
      );
    expect(advice).toEqual([]);
  });

  test('has no row without a command, and none twice', () => {
    const advice = written
      .filter((name, index) => !declared.includes(name) || written.indexOf(name) !== index)
      .map(
        (name) =>
          `Strike "${name}" from the table of test/permissions.test.ts: it is no command, or twice there.`,
      );
    expect(advice).toEqual([]);
  });

  test('says of each command whether it changes something, leads to changes, or only reads', () => {
    const does = commands.map(({ kind, effect, ...one }) => [
      nameOf(one),
      effect === 'read' ? 'looks' : kind === 'info' ? 'leads' : 'changes',
    ]);
    const told = new Map(rows.map(({ name, does: said }) => [name, said]));
    expect(does.filter(([name = '', said]) => told.get(name) !== said)).toEqual([]);
  });

  test('has a letter for every shipped role, in their order', () => {
    expect(Object.keys(shippedRoles)).toEqual(roles);
    const letters = roles.map((role, index) => (role === 'admin' ? 'A' : ('VHOP'[index] ?? '')));
    for (const [, given = ''] of table.matchAll(/^(\S+) /gm))
      if (given !== 'all' && given !== 'self')
        expect(given).toMatch(new RegExp(`^${letters.map((one) => `[${one}-]`).join('')}$`));
  });
});

const alice = 'U0ALICE001';
const group = 'S0NIGHT';

/** A kind of person, who gives them their role, and how they are refused where they hold none. */
interface Kind {
  readonly identity: Identity;
  readonly given: readonly string[];
  readonly everywhere?: true;
  readonly holds: boolean;
  readonly refused: string;
}

const who = (kind: PersonKind, groups: readonly string[] = []): Identity => ({
  kind,
  id: alice,
  human: alice,
  groups: new Set(groups),
});
const unknown: Identity = { kind: 'lookup_failed', id: alice };
const anyhow = [everyone, group];

const people: Readonly<Record<string, Kind>> = {
  'a member, as everyone': {
    identity: who('member'),
    given: [everyone],
    holds: true,
    refused: 'role_missing',
  },
  'a member, by group': {
    identity: who('member', [group]),
    given: [group],
    holds: true,
    refused: 'role_missing',
  },
  'a member, by name': { identity: who('member'), given: [alice], holds: true, refused: 'role_missing' },
  'a member, everywhere': {
    identity: who('member'),
    given: [alice],
    everywhere: true,
    holds: true,
    refused: 'role_missing',
  },
  'a member without a role': {
    identity: who('member'),
    given: ['U0BOB', group],
    holds: false,
    refused: 'role_missing',
  },
  'a guest': { identity: who('guest', [group]), given: anyhow, holds: false, refused: 'guest' },
  'a guest, by name': { identity: who('guest'), given: [alice], holds: true, refused: 'guest' },
  'a person of another organisation': {
    identity: who('other_organisation', [group]),
    given: anyhow,
    holds: false,
    refused: 'other_organisation',
  },
  'a person of another organisation, by name': {
    identity: who('other_organisation'),
    given: [alice],
    holds: true,
    refused: 'other_organisation',
  },
  'a bot': { identity: who('bot', [group]), given: anyhow, holds: false, refused: 'bot' },
  'a bot, by name': { identity: who('bot'), given: [alice], holds: true, refused: 'bot' },
  'a deactivated person': {
    identity: who('deactivated', [group]),
    given: [...anyhow, alice],
    holds: false,
    refused: 'deactivated',
  },
  'somebody who could not be looked up': {
    identity: unknown,
    given: [...anyhow, alice],
    holds: false,
    refused: 'lookup_failed',
  },
};

/** A kind of channel: how it refuses everything, or what changes, or which roles count there. */
interface Channel {
  readonly id: string;
  readonly place: ChannelSharing;
  readonly refusesAll?: string;
  readonly refusesChanges?: string;
  readonly only?: readonly Role[];
}

const channels: Readonly<Record<string, Channel>> = {
  'a channel of ours': { id: 'C0SERVED', place: 'own' },
  'a channel with another organisation': {
    id: 'C0SERVED',
    place: 'shared',
    refusesChanges: 'shared_channel',
  },
  'a channel that may be with another organisation': {
    id: 'C0SERVED',
    place: 'lookup_failed',
    refusesChanges: 'lookup_failed',
  },
  'a channel with another organisation, where changes are allowed': { id: 'C0SHAREDWRITES', place: 'shared' },
  'a channel that is not in the policy': { id: 'C0UNKNOWN', place: 'own', refusesAll: 'channel_not_served' },
  'a direct message': { id: 'D0UNKNOWN', place: 'own', refusesAll: 'channel_not_served' },
  'a direct message that is named': { id: 'D0SERVED', place: 'own' },
  'a channel where only viewers count': { id: 'C0VIEWERS', place: 'own', only: ['viewer'] },
  'a channel where only operators and admins count': {
    id: 'C0OPERATORS',
    place: 'own',
    only: ['operator', 'admin'],
  },
};

/** The policy that gives one role to one kind of person, in every channel that is served. */
function policyFor(role: Role, { given, everywhere }: Kind): Policy {
  const here = everywhere ? {} : { [role]: given };
  return policyOf(
    {
      C0SERVED: servedTo(here),
      C0SHAREDWRITES: servedTo(here, { sharedWrites: true }),
      D0SERVED: servedTo(here),
      C0VIEWERS: servedTo(here, { only: ['viewer'] }),
      C0OPERATORS: servedTo(here, { only: ['operator', 'admin'] }),
    },
    { holders: holdersOf(everywhere ? { [role]: given } : {}) },
  );
}

/** The decision by the table: `yes`, or the code of the refusal. */
function expected({ roles: may, does }: Row, role: Role, { holds, refused }: Kind, channel: Channel): string {
  if (may === 'all') return 'yes';
  if (may === 'self') return ['deactivated', 'lookup_failed'].includes(refused) ? refused : 'self_service';
  if (channel.refusesAll !== undefined) return channel.refusesAll;
  if (!holds || channel.only?.includes(role) === false) return refused;
  if (!may.includes(role)) return 'role_missing';
  return does === 'changes' && channel.refusesChanges !== undefined ? channel.refusesChanges : 'yes';
}

describe.each(Object.entries(people))('%s', (_, kind) => {
  test.each(Object.entries(channels))('in %s may what the table says, with each role', (_, channel) => {
    const wrong = roles.flatMap((role) => {
      const policy = policyFor(role, kind);
      return commands.flatMap((command) => {
        const subject = anySubjectOf(command);
        const row = rows.find(({ name }) => name === subject.name);
        const where = { channel: channel.id, place: channel.place };
        const decision = decide(toRun(subject, kind.identity, where), policy);
        const answer = decision.allow ? 'yes' : decision.denial.code;
        // A command without a row has failed above already.
        const right = row === undefined ? answer : expected(row, role, kind, channel);
        return answer === right ? [] : [`${role}, ${subject.name}: ${answer} instead of ${right}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});
