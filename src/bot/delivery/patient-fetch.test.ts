import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

test('where no file is left to open a connection with, a call waits for one and gets out', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end('taken');
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = `
    import { closeSync, openSync } from 'node:fs';
    import { patient } from ${JSON.stringify(new URL('patient-fetch.ts', import.meta.url).href)};
    const patientFetch = patient(fetch);
    const reason = (error) => error.cause?.code;
    // The first takes what Node opens once and keeps.
    await (await patientFetch(${JSON.stringify(url)}, { headers: { connection: 'close' } })).text();
    const files = [];
    try { for (;;) files.push(openSync('/dev/null')); } catch {}
    const plain = await fetch(${JSON.stringify(url)}).catch(reason);
    setTimeout(() => files.splice(0).forEach((file) => closeSync(file)), 150);
    process.stdout.write(plain + ' ' + await (await patientFetch(${JSON.stringify(url)})).text());
    process.exit();`;
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -n 64; exec "$0" --input-type=module --eval "$1"',
    process.execPath,
    program,
  ]);
  expect(stdout).toBe('EMFILE taken');
  expect(calls).toBe(2);
});
