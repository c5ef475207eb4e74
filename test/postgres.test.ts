import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

test('a process of a server ends with its exit code', async () => {
  const program = `
    const { startPostgres } = await import(process.argv[1]);
    const server = await startPostgres();
    await server.remove();
    process.exitCode = 3;`;
  const { href } = new URL('postgres.ts', import.meta.url);
  const code = await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program, href], (error) =>
      resolve(error?.code),
    );
  });
  expect(code).toBe(3);
});
