import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

/** bob is operator in #helpdesk, and 252 is shopping. */
async function house() {
  const conversation = await converse();
  const before = new Set(conversation.appliance.state.categories.all.get(252)?.live);
  return {
    ...conversation,
    added: () =>
      [...(conversation.appliance.state.categories.all.get(252)?.live ?? [])]
        .filter((one) => !before.has(one))
        .toSorted(),
  };
}

describe('a list that is pasted below a line, in the format of another program', () => {
  test.each([
    [
      'a hosts file',
      ['127.0.0.1 localhost', '0.0.0.0 a.example b.example # both', '10.1.2.3 intranet.example'],
    ],
    ['Adblock rules', ['! ours', '||a.example^', '||b.example^$third-party', '@@||intranet.example^']],
    ['dnsmasq settings', ['address=/a.example/b.example/0.0.0.0', 'server=/intranet.example/10.1.1.1']],
    [
      'unbound settings',
      [
        'server:',
        '  local-zone: "a.example" always_nxdomain',
        '  local-zone: "b.example" redirect',
        '  local-zone: "intranet.example" transparent',
      ],
    ],
    [
      'a response policy zone',
      ['$TTL 2h', 'a.example CNAME .', 'b.example CNAME *.', 'intranet.example CNAME rpz-passthru.'],
    ],
    ['JSON lines', ['{"domain":"a.example"}', '{"domain":"b.example"}', '{"note":"intranet.example"}']],
    ['a code block', ['```', '0.0.0.0 a.example', '0.0.0.0 b.example', '10.1.2.3 intranet.example', '```']],
  ])('is read as in a file, and other lines are counted and named: %s', async (_, lines) => {
    const { type, press, read, added } = await house();
    await type(`/appliance category add to 252\n${lines.join('\n')}`, 'bob');
    const card = read('bob');
    expect(card).toContain('intranet.example');
    expect(card).toMatch(/1 of \d lines is no site/);
    expect(added()).toEqual([]);
    await press('Add', 'bob');
    expect(added()).toEqual(['a.example', 'b.example']);
  });

  test('joins the line’s own entries', async () => {
    const { type, added, read } = await house();
    await type('/appliance category add first.example to 252\n0.0.0.0 a.example', 'bob');
    expect(read('bob')).toContain('2 sites added to category shopping');
    expect(added()).toEqual(['a.example', 'first.example']);
  });

  test('is refused where it has no entry, with the reason', async () => {
    const { type, added, read } = await house();
    await type(
      '/appliance category add to 252\n@@||a.example^\n10.1.2.3 b.example\n0.0.0.0 localhost',
      'bob',
    );
    expect(read('bob')).toContain('refused. No changes were made.');
    expect(added()).toEqual([]);
  });
});

test.each([
  ['0.0.0.0 bad.example', 'a line of a hosts file'],
  ['127.0.0.1 bad.example', 'a line of a hosts file'],
  ['||bad.example^', 'an Adblock rule'],
  ['address=/bad.example/0.0.0.0', 'a dnsmasq setting'],
])('an entry that is typed in the line adds only the host, and says so: %s', async (entry, from) => {
  const { type, added, read } = await house();
  await type(`/appliance category add ${entry} to 252`, 'bob');
  expect(read('bob')).toContain(`bad.example, from ${from}`);
  expect(added()).toEqual(['bad.example']);
});

test('an exception that is typed in the line blocks nothing', async () => {
  const { type, added } = await house();
  await type('/appliance category add @@||bad.example^ to 252', 'bob');
  expect(added()).toEqual([]);
});
