#!/usr/bin/env node
// What `npm start` runs. JavaScript, because it switches on Node's compile cache, and that must happen before the first
// TypeScript file is loaded: starts then take two thirds of the time. The cache lies in the data folder and not where
// Node would put it, in a folder for temporary files: whoever can write there could plant code.
import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';

const data = resolve(process.env.APPLIANCE_BOT_DATA || './data');
try {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  enableCompileCache(join(data, 'compile-cache'));
} catch {
  // A folder that cannot be made is a setting to mend, and the start says so with all the others.
}

const { run } = await import('../src/main.ts');
await run(process.env);
flushCompileCache();
