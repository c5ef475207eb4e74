/** The package, and the oldest Node that it runs on ("22.19"): put in by the build. */
declare const PACKAGE: string;
declare const OLDEST: string;

/**
 * Loaded before everything else of a package: an old runtime would otherwise fail deep inside a dependency. Bun and Deno
 * also report a version of Node that they are compatible with.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  throw new Error(`${PACKAGE} needs Node ${OLDEST} or later, and this is Node ${process.versions.node}.`);
}

export {};
