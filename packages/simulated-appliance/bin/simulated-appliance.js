#!/usr/bin/env node
try {
  await import('../dist/runtime.js');
  const { run } = await import('../dist/command-line.js');
  process.exitCode = await run(process.argv.slice(2), process);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
