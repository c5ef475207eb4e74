import { describe, expect, test } from 'vitest';
import { appliance, call, get, withAnAppliance } from '../testing.ts';
import { field } from './field.ts';
import { generations } from './index.ts';

withAnAppliance({ generation: 'field-v1', key: 'sesame' });

const withKey = { headers: { 'x-auth-token': 'sesame' } };

describe('the shape of every answer', () => {
  test('has both casings in one generation', async () => {
    expect(Object.keys(await get('/categories/list'))).toEqual(['status', 'info', 'categories']);
    expect(Object.keys(await get('/sqldb/users'))).toEqual(['Status', 'Error', 'Info', 'Users']);
  });

  test('has numbers as text', async () => {
    expect(await get('/system/network/resolvconfig')).toMatchObject({ timeout: expect.any(String) });
    expect(await get('/categories/list')).toMatchObject({
      categories: { 252: { items: String(appliance.state.categories.all.get(252)?.sites.size) } },
    });
  });

  test('has booleans as "True" and "False"', async () => {
    expect(await get('/analyze/website/direct/example.com')).toMatchObject({
      domain_test: 'True',
      proxy_error: 'False',
      proxy_response_code: '200',
    });
    expect(await get('/system/softwares/refresh')).toMatchObject({ Status: 'True' });
  });

  test('has null for a list without entries', async () => {
    appliance.state.acl.objects.clear();
    expect(await get('/proxy/acls/objects')).toMatchObject({ Objects: null });
    expect(await get('/categories/query/nowhere.example')).toMatchObject({
      status: false,
      Categories: null,
    });
  });

  test('has objects keyed by number where the document shows a list', async () => {
    expect(await get('/proxy/acls/ssl/rules')).toMatchObject({ 0: { Order: expect.any(String) } });
    expect(await get('/categories/query/example.com')).toMatchObject({
      Categories: { 252: { category_name: 'shopping' } },
    });
  });

  test.each(['/categories/list', '/appliance_version', '/api/status', '/nothing', '/sqldb/users/create'])(
    'ends with a line feed: %s',
    async (path) => {
      expect((await call(path)).text).toMatch(/\n$/);
    },
  );

  test('holds verbs without a value where a print function met a percent sign; before a quotation mark that is no JSON', async () => {
    const { events } = appliance.state.ftpd;
    events.push({ at: new Date(0), pid: 1, text: 'disk is 93% full' });
    expect(await get('/ftpd/events/disk/5')).toMatchObject({
      Results: [expect.stringContaining('disk is 93%!f(MISSING)ull')],
    });
    events.push({ at: new Date(0), pid: 1, text: 'quota at 100%' });
    const { text } = await call('/ftpd/events/quota/5');
    expect(text).toContain('100%!"(MISSING)]');
    expect(() => JSON.parse(text)).toThrow();
  });
});

describe('a refusal that says nothing about the object has HTTP 200, status false and its reason in info', () => {
  test.each<[info: string, path: string, obstacle: () => void]>([
    [
      'Category service disabled on this server',
      '/categories/query/example.com',
      () => {
        const service = appliance.state.directory.services.get('APP_CATEGORIES');
        if (service) service.startedAt = undefined;
      },
    ],
    [
      'Proxy Service is not enabled',
      '/proxy/acls/objects',
      () => appliance.state.software.installed.delete('APP_PROXY'),
    ],
    [
      'Proxy Service is not enabled',
      '/proxy/general/reconfigure',
      () => appliance.state.software.installed.delete('APP_PROXY'),
    ],
    [
      'Feature not enabled, Aborting',
      '/system/network/vlan/list',
      () => {
        appliance.state.vlan.installed = false;
      },
    ],
    [
      'Feature not enabled, Aborting',
      '/rdpproxy/sessions',
      () => appliance.state.software.installed.delete('APP_RDPPROXY'),
    ],
    ['Unable to understand foo command', '/categories/foo', () => {}],
    ['Proxy in Emergency mode!', '/status', () => appliance.turn({ proxyMode: 'global_emergency' })],
  ])('%s: %s', async (info, path, obstacle) => {
    obstacle();
    const { status, text } = await call(path, withKey);
    expect({ status, reply: JSON.parse(text) }).toEqual({ status: 200, reply: { status: false, info } });
  });

  test('carries nothing out', async () => {
    appliance.state.software.installed.delete('APP_PROXY');
    const [id] = appliance.state.acl.objects.keys();
    const before = structuredClone(appliance.state.acl);
    await call(`/proxy/acls/object/delete/${id}`);
    expect(appliance.state.acl).toEqual(before);
  });
});

describe('an error', () => {
  test.each([
    ['an unknown category', '/categories/9999/compile', 500],
    ['an unknown interface', '/system/network/vlan/start/9999', 404],
    ['an unknown interface', '/system/network/vlan/stop/9999', 404],
    ['an unknown interface', '/system/network/vlan/reconfigure/9999', 404],
    ['an unknown interface', '/system/network/vlan/unlink/9999', 404],
    ['an unknown path', '/nothing/at/all', 404],
  ])('for %s is a page: %s', async (_, path, status) => {
    expect(await call(path)).toMatchObject({ status, type: expect.stringContaining('text/html') });
  });

  test('for an unknown command of the directory engine is a page with HTTP 500', async () => {
    expect(await call(`${appliance.urls.directory}/foo_connect`)).toMatchObject({
      status: 500,
      type: expect.stringContaining('text/html'),
    });
  });

  test('for a wrong method is HTTP 405 in plain text', async () => {
    expect(await call('/categories/list', { method: 'DELETE' })).toMatchObject({
      status: 405,
      type: expect.stringContaining('text/plain'),
    });
  });

  test('without a key is HTTP 403 and Forbidden; with a wrong one JSON that calls itself plain text', async () => {
    const path = '/rdpproxy/sessions';
    expect(await call(path)).toMatchObject({ status: 403, text: 'Forbidden\n' });
    const wrong = await call(path, { headers: { 'x-auth-token': 'simsim' } });
    expect(wrong).toMatchObject({ status: 403, type: expect.stringContaining('text/plain') });
    expect(JSON.parse(wrong.text)).toMatchObject({ status: false, info: 'Authentication failed' });
  });

  test('with HTTP 404 means that the engine is older than the call', async () => {
    appliance.turn({ release: 'earlier' });
    expect(await call('/categories/list')).toMatchObject({ status: 404 });
    expect(await call('/proxy/acls/record/find/example')).toMatchObject({ status: 404 });
    expect(await call('/proxy/acls/objects')).toMatchObject({ status: 200 });
  });
});

test('the key is taken as X-Auth-Token or as X-Api-Key, and the list of requests hides it', async () => {
  const path = '/rdpproxy/sessions';
  expect(await call(path, withKey)).toMatchObject({ status: 200 });
  expect(await call(path, { headers: { 'x-api-key': 'sesame' } })).toMatchObject({ status: 200 });
  expect(JSON.stringify(appliance.requests)).not.toContain('sesame');
});

test('the generation is switched while the appliance runs, and a reset restores the first one', async () => {
  appliance.turn({ generation: 'document' });
  expect(Object.keys(await get('/categories/list'))).toEqual(['Status', 'Error', 'Categories']);
  expect(appliance.switches()).toContainEqual(
    expect.objectContaining({ name: 'generation', value: 'document' }),
  );
  appliance.reset();
  expect(Object.keys(await get('/categories/list'))).toEqual(['status', 'info', 'categories']);
});

test('every layer belongs to an operation', () => {
  const strange = Object.values(generations).flatMap(({ layers }) =>
    Object.keys(layers).filter((operation) => !appliance.operations.includes(operation)),
  );
  expect(strange).toEqual([]);
  expect(Object.keys(field.layers).length).toBeGreaterThan(50);
});
