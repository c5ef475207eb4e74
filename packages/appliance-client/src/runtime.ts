/**
 * Loaded before everything else: what an old runtime would say instead, from deep inside a dependency, helps nobody.
 * Bun and Deno tell a version of Node, too, with which they are compatible.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(
    `appliance-client needs Node 22.19 or later, and this is Node ${process.versions.node}. Nothing was sent.`,
  );
}

export {};
