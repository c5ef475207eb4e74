#!/usr/bin/env node
// What `npm start` runs: it switches on Node's compile cache and loads what `npm run build` made, and starts take half the
// time. The cache lies in the data folder and not where Node would put it, in a folder for temporary files: whoever can
// write there could plant code.
import { existsSync, mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';

const data = resolve(process.env.APPLIANCE_BOT_DATA || './data');
try {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  enableCompileCache(join(data, 'compile-cache'));
} catch {
  // A folder that cannot be made is a setting to mend, and the start says so with all the others.
}

const built = new URL('../dist/appliance-bot.js', import.meta.url);
if (existsSync(built)) {
  const { run } = await import(built.href);
  await run(process.env);
  flushCompileCache();
} else {
  process.stderr.write('The bot is not built yet, so it did not start. Build it with: npm run build\n');
  process.exitCode = 1;
}
