import { describe, expect, test } from 'vitest';
import type { AclObject, Category, WebsiteAnalysis } from '../../api/index.ts';
import { Unreachable } from '../../api/index.ts';
import { plainText } from '../reply.ts';
import type { Evidence } from './evidence.ts';
import { judge } from './verdict.ts';
import { tell } from './words.ts';

const fine: WebsiteAnalysis = {
  resolved: true,
  address: '192.0.2.1',
  connected: true,
  direct: true,
  directStatus: 200,
  proxyTested: true,
  proxyFailed: false,
  proxyStatus: 200,
  proxyResolvers: [
    { resolver: '10.0.0.1', success: true, addresses: ['192.0.2.1', '2001:db8::1'] },
    { resolver: '10.0.0.2', success: true, addresses: ['192.0.2.1'] },
  ],
};
const denied: WebsiteAnalysis = { ...fine, proxyFailed: true, proxyStatus: 403, proxyError: 'denied' };
const unresolved: WebsiteAnalysis = {
  resolved: false,
  connected: false,
  direct: false,
  directStatus: 0,
  proxyTested: true,
  proxyFailed: true,
  proxyStatus: 503,
  proxyResolvers: [{ resolver: '10.0.0.1', success: false, error: 'NXDOMAIN', addresses: [] }],
};

const wall: Category = { id: 208, name: 'blocked', rpz: { enabled: true, action: 1, redirect: '' } };
const plain: Category = { id: 126, name: 'gambling', rpz: { enabled: false, action: 0, redirect: '' } };
const listing = (enabled: boolean, ruleEnabled: boolean): AclObject => ({
  id: 40,
  name: 'banned',
  type: 'dstdomain',
  enabled,
  items: [{ id: 1, pattern: '.a.example', enabled: true }],
  rules: [{ id: 20, name: 'Reported', enabled: ruleEnabled }],
});

const ok = <Value>(value: Value) => ({ ok: true, value }) as const;
const silent = {
  ok: false,
  failure: new Unreachable('ECONNREFUSED', { operation: 'some.call' }),
} as const;

function evidence(
  website: WebsiteAnalysis | 'silent',
  {
    categories = [],
    objects = [],
    ...more
  }: { categories?: Category[]; objects?: AclObject[] } & Partial<
    Pick<Evidence, 'pending' | 'sslRules'>
  > = {},
): Evidence {
  return {
    domain: 'a.example',
    categories: ok({ categories, info: '' }),
    objects: ok(objects),
    sslRules: ok([]),
    website: website === 'silent' ? silent : ok(website),
    pending: [],
    ...more,
  };
}

const verdict = async (given: Evidence) => (await judge(given)).verdict;
const words = async (given: Evidence) => plainText(tell(await verdict(given), 'a.example', 'hq').headline);

describe('a website that the proxy refuses', () => {
  test('is blocked by the category that the DNS firewall acts on, before all rules', async () => {
    const given = evidence(denied, { categories: [plain, wall], objects: [listing(true, true)] });
    expect(await verdict(given)).toEqual({
      kind: 'blocked',
      status: 403,
      by: { kind: 'categories', categories: [wall] },
    });
    expect(await words(given)).toBe(
      'a.example is blocked: the proxy refuses it (HTTP 403), and it is in blocked, which the DNS firewall acts on',
    );
  });

  test('is most likely blocked by the rule whose object matches', async () => {
    const given = evidence(denied, { objects: [listing(true, true)] });
    expect(await verdict(given)).toMatchObject({ kind: 'blocked', by: { kind: 'rules' } });
    expect(await words(given)).toBe(
      'a.example is blocked: the proxy refuses it (HTTP 403), most likely by rule Reported (ACL object banned)',
    );
  });

  test.each([
    ['a disabled object', listing(false, true)],
    ['a disabled rule', listing(true, false)],
  ])('is not blocked by %s', async (_, object) => {
    expect(await verdict(evidence(denied, { objects: [object] }))).toMatchObject({ by: { kind: 'unknown' } });
  });

  test('is perhaps blocked for a category whose action is not reported', async () => {
    expect(await words(evidence(denied, { categories: [plain] }))).toContain(
      'perhaps because it is in gambling',
    );
  });

  test('is blocked for an unknown reason, and the answer says which sources failed', async () => {
    expect(await words(evidence(denied))).toContain(
      'and no category or ACL record that it lists explains why',
    );
    expect(await words({ ...evidence(denied), objects: silent })).toContain(
      'the ACL objects could not be checked',
    );
  });

  test('is reported as refused even if it is down', async () => {
    const given = evidence({ ...denied, connected: false, direct: false, directStatus: 0 });
    expect(await verdict(given)).toMatchObject({ kind: 'blocked' });
  });

  test('is not called blocked if it only requires a login', async () => {
    expect(await verdict(evidence({ ...denied, proxyStatus: 407 }))).toEqual({ kind: 'asks_who' });
  });
});

describe('a website in a category that the DNS firewall acts on', () => {
  test('should be blocked, as the answer says if the tests reach it; otherwise it most likely is', async () => {
    const given = evidence(fine, { categories: [wall] });
    expect(await verdict(given)).toMatchObject({ kind: 'dns_firewall', isPending: false, isReached: true });
    expect(await words(given)).toContain(
      'a.example should be blocked, and hq still reaches it: it is in blocked',
    );
    expect(await words(evidence('silent', { categories: [wall] }))).toContain(
      'a.example is most likely blocked',
    );
  });

  test('is about to be blocked while the compile is pending', async () => {
    const pending = [{ what: 'category:208', since: 0, line: '', problem: undefined } as const];
    expect(await words(evidence(fine, { categories: [wall], pending }))).toContain('will be blocked');
    expect(await words(evidence('silent', { categories: [wall], pending }))).toContain(
      'is most likely blocked',
    );
    const other = [{ what: 'category:9', since: 0, line: '', problem: undefined } as const];
    expect(await words(evidence(fine, { categories: [wall], pending: other }))).toContain(
      'should be blocked',
    );
  });
});

describe('a website that this proxy does not block', () => {
  test('does not exist if no resolver knows its name', async () => {
    expect(await verdict(evidence(unresolved))).toEqual({ kind: 'unknown_name' });
  });

  test.each(['lookup a.example on 10.0.0.1:53: read udp: i/o timeout', 'connection refused', 'SERVFAIL'])(
    'is not called missing if no resolver answers: %s',
    async (error) => {
      const proxyResolvers = [{ resolver: '10.0.0.1', success: false, error, addresses: [] }];
      const given = evidence({ ...unresolved, proxyResolvers });
      expect(await verdict(given)).toEqual({ kind: 'no_resolver', error });
      expect(await words(given)).toContain('could not be looked up: no DNS server of');
    },
  );

  test('has a DNS problem if one resolver knows it and another does not', async () => {
    const [first] = fine.proxyResolvers ?? [];
    const some = [first, ...(unresolved.proxyResolvers ?? [])].flatMap((one) => one ?? []);
    const given = evidence({ ...fine, proxyResolvers: some });
    expect(await verdict(given)).toEqual({ kind: 'dns_disagrees', knowing: 1, failing: 1 });
    expect(await verdict(evidence({ ...unresolved, proxyResolvers: some }))).toMatchObject({
      kind: 'dns_disagrees',
    });
  });

  test('is fine with different addresses at every resolver, as large sites are', async () => {
    const proxyResolvers = [
      { resolver: '10.0.0.1', addresses: ['192.0.2.1'] },
      { resolver: '10.0.0.2', addresses: ['192.0.2.2'] },
    ];
    const { verdict: found, resolving } = await judge(evidence({ ...fine, proxyResolvers }));
    expect(found).toEqual({ kind: 'not_ours', how: 'both' });
    expect(resolving.kind).toBe('differ');
  });

  const down = { ...fine, direct: false, directStatus: 0, proxyFailed: true, proxyStatus: 503 };
  test.each<[string, WebsiteAnalysis, object]>([
    ['takes no connection', { ...down, connected: false }, { kind: 'site_down', how: 'no_connection' }],
    ['does not answer', down, { kind: 'site_down', how: 'no_answer' }],
    [
      'answers with an error of its own',
      { ...down, directStatus: 403, proxyStatus: 403 },
      { kind: 'site_error', status: 403 },
    ],
    ['fails in the proxy alone', { ...fine, proxyFailed: true, proxyStatus: 503 }, { kind: 'proxy_fails' }],
    [
      'works through the proxy alone',
      { ...down, connected: false, proxyFailed: false, proxyStatus: 200 },
      { kind: 'not_ours', how: 'by_proxy' },
    ],
    [
      'was not tried through the proxy',
      { ...fine, proxyTested: false },
      { kind: 'not_ours', how: 'directly' },
    ],
    ['works in both ways', fine, { kind: 'not_ours', how: 'both' }],
  ])('and %s is told so', async (_, website, expected) => {
    expect(await verdict(evidence(website))).toMatchObject(expected);
  });
});

test('a website without a test gets an answer from the other evidence', async () => {
  const given = evidence('silent', { objects: [listing(true, true)] });
  expect(await words(given)).toContain('could not be tested');
  expect(plainText(tell(await verdict(given), 'a.example', 'hq').advice)).toBe(
    'If it is blocked, the most likely cause is rule Reported (ACL object banned).',
  );
});

test('a website that fails in the proxy is shown with the SSL rule that decodes it', async () => {
  const given = evidence(
    { ...fine, proxyFailed: true, proxyStatus: 503 },
    {
      objects: [listing(true, false)],
      sslRules: ok([{ id: 9, name: 'Decode', decodes: true, enabled: true, objects: [{ id: 40 }] }]),
    },
  );
  expect(plainText(tell(await verdict(given), 'a.example', 'hq').advice)).toContain(
    'Its traffic is decrypted (Decode)',
  );
});

test('an address is looked up in networks directly', async () => {
  const network: AclObject = {
    ...listing(true, true),
    type: 'dst',
    items: [{ id: 1, pattern: '10.9.0.0/16' }],
  };
  const given = { ...evidence('silent', { objects: [network] }), domain: '10.9.8.7' };
  expect((await judge(given)).matching.matches).toMatchObject([{ how: 'address' }]);
});
