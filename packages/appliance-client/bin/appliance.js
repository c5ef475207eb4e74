#!/usr/bin/env node
// Whoever reads the first lines only, as `head` does, is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});
try {
  await import('../dist/runtime.js');
  const { run } = await import('../dist/command-line.js');
  process.exitCode = await run(process.argv.slice(2), process);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
