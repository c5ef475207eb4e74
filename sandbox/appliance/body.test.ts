import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from './index.ts';

const upload = 'POST /shell_upload';

async function start() {
  const appliance = await startSimulatedAppliance();
  onTestFinished(() => appliance.close());
  return appliance;
}

function post(url: string, type: string, body: string) {
  return fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
}

/** An upload whose file has only begun. */
function beginUpload(url: string) {
  const call = request(`${url}/shell_upload`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
  });
  call.on('error', () => undefined);
  call.write('--cut\r\ncontent-disposition: form-data; name="zipcontainer"; filename="a.zip"\r\n\r\nPK');
  onTestFinished(() => void call.destroy());
  return call;
}

test.each([
  ['ends within its file', '--cut\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\nPK'],
  ['ends within a heading', '--cut\r\ncontent-disp'],
])('an upload that %s gets an error of its own, and the appliance lives on', async (_, body) => {
  const { url } = await start();
  const response = await post(`${url}/shell_upload`, 'multipart/form-data; boundary=cut', body);
  expect(response.status).toBe(500);
  expect((await fetch(`${url}/categories/list`)).status).toBe(200);
});

test.each([
  ['application/json', '{"username":'],
  ['application/json', '["bob.miller"]'],
  ['application/json', 'null'],
  ['application/x-www-form-urlencoded', 'username=bob.miller'],
])('the gateway takes JSON objects only: %s %s', async (type, body) => {
  const { url, state } = await start();
  const before = structuredClone(state.rdp);
  const response = await post(`${url}/rdpproxy/mfa/reset`, type, body);
  expect(await response.json()).toEqual({ Status: false, Error: 'the body must be a JSON object' });
  expect(state.rdp).toEqual(before);
});

test('the gateway asks for no body where it needs none, and other parts take forms', async () => {
  const { url } = await start();
  const disconnected = await fetch(`${url}/rdpproxy/sessions/12/disconnect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  expect(await disconnected.json()).toMatchObject({ Status: true });
  const added = await post(
    `${url}/categories/252/add`,
    'application/x-www-form-urlencoded',
    'sites=a.example',
  );
  expect(await added.json()).toMatchObject({ status: true });
});

test('a body other than an upload has 64 MB at most', async () => {
  const { url } = await start();
  const body = 'x'.repeat(64 * 1_048_576 + 1);
  const response = await post(`${url}/categories/252/add`, 'application/x-www-form-urlencoded', body);
  expect(response.status).toBe(413);
  expect((await fetch(`${url}/categories/list`)).status).toBe(200);
});

test('a second question mark belongs to the query', async () => {
  const { url, requests } = await start();
  const response = await fetch(`${url}/categories/query/example.com?why=really?yes`);
  expect(response.status).toBe(200);
  expect(requests[0]?.operation).toBe('GET /categories/query/{domain}');
  const faults = await fetch(`${url}/_simulator/faults?operation=GET%20/categories/list?`, {
    method: 'DELETE',
  });
  expect(await faults.json()).toMatchObject({ error: expect.stringContaining('GET /categories/list?;') });
});

test('an HTTP error comes while the file is still on its way', async () => {
  const { url, faults } = await start();
  faults.set(upload, { kind: 'status', status: 502 });
  const [response] = await once(beginUpload(url), 'response');
  expect(response.statusCode).toBe(502);
});

test('a connection breaks while the file is still on its way, unless the order is to be carried out', async () => {
  const { url, faults, requests } = await start();
  faults.set(upload, { kind: 'reset', happens: false });
  const [error] = await once(beginUpload(url), 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  await expect.poll(() => requests[0]).toMatchObject({ outcome: 'broken', fault: 'reset' });
});

test('a hanging upload gets no answer, and the appliance notices when the sender gives up', async () => {
  const { url, faults, requests } = await start();
  faults.set(upload, { kind: 'hang', happens: false });
  const call = beginUpload(url);
  await expect.poll(() => requests[0]).toMatchObject({ outcome: 'waiting', fault: 'hang' });
  call.destroy();
  await expect.poll(() => requests[0]?.outcome).toBe('broken');
});
