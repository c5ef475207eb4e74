#!/usr/bin/env node
// The one program: starts the bot, or runs what it is told to beside it. It asks which Node this is before it loads anything
// else, in words that every Node understands that knows modules: an older one would end with a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `Appliance Bot requires Node 22.19 or later, and this is Node ${process.versions.node}: nothing was done. In a checkout, the npm scripts use the Node that npm ci installs.\n`,
  );
  process.exitCode = 1;
} else {
  main(process.argv.slice(2));
}

async function main(words) {
  const isStart = words.length === 0 || (words.length === 1 && words[0] === 'start');
  const { existsSync } = await import('node:fs');
  const built = (name) => new URL(`../dist/${name}`, import.meta.url);
  if (!isStart) {
    // A checkout runs its sources: they need no build, and are never out of date.
    const places = [new URL('../cli/main.ts', import.meta.url), built('command-line.js')];
    const program = places.find((place) => existsSync(place));
    if (program === undefined) return unbuilt('nothing was done');
    const { run } = await import(program.href);
    return run(words, process.env);
  }
  const bot = built('appliance-bot.js');
  if (!existsSync(bot)) return unbuilt('it did not start');
  const keepCompiled = await openCompileCache();
  const { run } = await import(bot.href);
  await run(process.env);
  keepCompiled();
}

function unbuilt(what) {
  process.stderr.write(`The bot is not built yet, so ${what}. Build it with: npm run build\n`);
  process.exitCode = 1;
}

/**
 * Node's compile cache halves the time of a start. The cache lies in the data folder, because others could plant code in
 * a folder for temporary files.
 */
async function openCompileCache() {
  const [{ mkdirSync }, { enableCompileCache, flushCompileCache }, { join, resolve }] = await Promise.all([
    import('node:fs'),
    import('node:module'),
    import('node:path'),
  ]);
  // Without quotes and white space around it, as the bot reads it itself.
  const [, , inner] = /^\s*(["']?)(.*?)\1\s*$/s.exec(process.env.APPLIANCE_BOT_DATA ?? '') ?? [];
  const data = resolve(inner || './data');
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    enableCompileCache(join(data, 'compile-cache'));
  } catch {
    // A folder that cannot be made is a setting to mend, and the start says so with all the others.
  }
  return flushCompileCache;
}
