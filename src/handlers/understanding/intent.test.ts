import { describe, expect, test } from 'vitest';
import { commands } from '../registry.ts';
import { intentOf } from './intent.ts';

const command = (name: string) => {
  const found = commands.find(({ phrase }) => phrase.startsWith(name));
  if (found === undefined) throw new Error(`No command ${name}`);
  return found;
};

test.each([
  'is example.com blocked',
  'who is connected',
  'show me the log',
  'can people reach ebay.de',
  'bob.miller connected?',
  'wie geht es dem mirror',
  'i want to see the sessions',
  'eth1.31 is down',
  'acls changed but nothing happens',
  'under which category is example.com filed',
  'should example.com be blocked?',
])('"%s" asks', (line) => {
  expect(intentOf(line).mood).toBe('question');
});

test.each([
  'blcok instagram.com',
  'the directory is back, stop the emergency',
  'AD is down, let everybody surf for 1h',
  'disconnect bob',
  'please kick bob',
  'can you disconnect bob?',
  'could you please block tiktok.com',
  'i need you to restart the mirror',
  'how do i unblock example.com',
  'turn off google_sni',
  'do not inspect commerzbank.de',
  'sperr mal bitte temu.com',
  'temu.com bitte sperren',
  'reenabel record 512',
  'example.com should be blocked',
  'nobody should reach example.com',
])('"%s" orders', (line) => {
  expect(intentOf(line).mood).toBe('order');
});

test.each(['bob.miller', 'sessions', ''])('"%s" is neither', (line) => {
  expect(intentOf(line).mood).toBe('unclear');
});

describe('the wanted access', () => {
  test.each([
    'unblock shop.example',
    'please let bob open shop.example',
    'put shop.example on the whitelist',
    'remove shop.example from the blacklist',
    'take shop.example off the blocked sites',
    'lift the ban on shop.example',
    'stop blocking shop.example',
    'never block shop.example',
    'shop.example should not be blocked',
    'remove the rule that blocks shop.example',
    'users can’t reach shop.example',
    'shop.example is blocked',
    'my boss needs shop.example today',
    'give her access to shop.example',
    'shop.example bitte freigeben',
    'débloquer shop.example',
    'desbloquear shop.example',
    'unblok shop.example',
    'the ban on shop.example should go',
  ])('"%s" wants it allowed', (line) => {
    expect(intentOf(line.replace('’', "'")).access).toBe('allow');
  });

  test.each([
    'block shop.example',
    'put shop.example on the blacklist',
    'take shop.example off the whitelist',
    'kill access to shop.example',
    'nobody should be able to open shop.example',
    "don't let anybody visit shop.example",
    "don't unblock shop.example",
    'shop.example must not be reachable',
    'make sure shop.example is blocked',
    'stop people from opening shop.example',
    'withdraw my request for shop.example',
    'undo the unblock of shop.example',
    'sperr mal bitte shop.example',
    'bloquear shop.example',
    'allow nobody to reach shop.example',
    'blcok shop.example',
    'put shop.example on the deny list',
    'throw shop.example on the block list',
    'remove the exception for shop.example',
    'the exception for shop.example has to go',
  ])('"%s" wants it denied', (line) => {
    expect(intentOf(line).access).toBe('deny');
  });

  test.each([
    'what category is shop.example in',
    'why is shop.example allowed',
    'move shop.example from streaming to news',
    'acl record add shop.example to google_sni',
    'block shop.example and unblock bank.example',
    'is shop.example on the whitelist?',
    'disconnect session 12',
  ])('"%s" says neither', (line) => {
    expect(intentOf(line).access).toBeUndefined();
  });
});

describe('opposites', () => {
  test.each([
    ['turn on emergency mode', 'emergency disable', 'emergency enable', []],
    ['emergency mode off please', 'emergency enable', 'emergency disable', []],
    ['let everyone through', 'emergency disable', 'emergency enable', []],
    ['bring vlan 3 down', 'vlan start', 'vlan stop', ['3']],
    ['put vlan 3 back up', 'vlan stop', 'vlan start', ['3']],
    ['vlan off 3', 'vlan start', 'vlan stop', ['3']],
    ['keep session 12', 'rdp target disable', 'temporary keep', ['12']],
    ['shut vlan 3', 'vlan start', 'vlan stop', ['3']],
    ['no more emergency', 'emergency enable', 'emergency disable', []],
    ['shop.example is allowed but should be blocked', 'category delete', 'category add', ['shop.example']],
    ["please don't undo that", 'undo', 'audit', []],
    ['reenabel record 512', 'acl record delete', 'acl record enable', ['512']],
    ['switch google_sni off', 'acl object enable', 'acl object disable', ['google_sni']],
    [
      "take away bob.miller's access to srv-1",
      'rdp policy link member',
      'rdp policy unlink member',
      ['bob.miller'],
    ],
    ['give bob.miller access to srv-1', 'rdp policy unlink member', 'rdp policy link member', ['bob.miller']],
    ['nobody should connect to srv-1', 'rdp target enable', 'rdp target disable', ['srv-1']],
    ['put shop.example on the blacklist', 'category delete', 'category add', ['shop.example']],
    ['take shop.example off the whitelist', 'acl record add', 'acl record delete', ['shop.example']],
    ['ban shop.example', 'ask', 'category add', ['shop.example']],
    [
      'kerberos is off, switch it on again',
      'directory disconnect kerberos',
      'directory connect kerberos',
      [],
    ],
    ['pause the policy', 'rdp policy enable', 'rdp policy disable', ['9']],
    ['srv-1 back in service', 'rdp target disable', 'rdp target enable', ['srv-1']],
    ['remove the ban on shop.example', 'category add', 'category delete', ['shop.example']],
    ['disable "Legacy access"', 'rdp policy enable', 'rdp policy disable', ['Legacy access']],
    ['stop the backup', 'category backup', 'category list', []],
    ['stop the engine', 'engine refresh', 'engine versions', []],
    ['stop the emergency and enable google_sni', 'emergency enable', 'emergency disable', []],
  ])('"%s" is %s, and %s is not', (line, opposite, meant, values) => {
    const { opposes } = intentOf(line);
    expect(opposes(command(opposite), values)).toBe(true);
    expect(opposes(command(meant), values)).toBe(false);
  });

  test('are not assumed for a site in a list, because lists allow and deny', () => {
    const { opposes } = intentOf('unblock shop.example');
    for (const name of ['category add', 'category delete', 'acl record add', 'acl record delete'])
      expect(opposes(command(name), ['shop.example']), name).toBe(false);
  });

  test('are not seen in a command for something that the line does not name', () => {
    expect(intentOf('turn off authentication').opposes(command('emergency enable'))).toBe(false);
    expect(intentOf('restart vlan 3').opposes(command('vlan stop'), ['3'])).toBe(false);
  });
});

test.each([
  "no don't restart dns",
  'do not keep "Legacy access"',
  'don’t disconnect session 12',
  'please do not delete google_sni',
  'never restart vlan 3',
])('"%s" is answered with lookups alone', (line) => {
  const { isForbidden, mood } = intentOf(line.replace('’', "'"));
  expect({ isForbidden, mood }).toEqual({ isForbidden: true, mood: 'question' });
});
