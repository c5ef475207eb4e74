import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../src/config/secret.ts';
import type { Facts } from './facts.ts';

/** The facts that a process must find in a circumstance. */
export type Ordered = Partial<Omit<Facts, 'now'>> & {
  /** The first time of its clock, in milliseconds since the epoch; undefined uses the machine's clock. */
  readonly begins?: number;
};

/** The place where the tests of a circumstance run, and how. */
export interface Stage {
  /** A folder for this circumstance alone; it is deleted afterwards. */
  readonly folder: string;
  readonly checkout: string;
  /** Their TMPDIR. */
  readonly timed: string;
  /** Beside what this process has in its own; undefined takes a variable away. */
  readonly environment: Environment;
  /** The command that starts the tests now. */
  readonly through: () => readonly string[];
  readonly ordered: Ordered;
}

/** A program that is not installed here. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool';
  constructor(tool: string) {
    super(`${tool} is not installed here: it comes with Debian's package ${packages[tool]}`);
  }
}

/** The Debian packages of these tools. */
const packages: Readonly<Record<string, string>> = {
  faketime: 'faketime',
  localedef: 'locales',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  ip: 'iproute2',
};

/** Resolves to the standard output. @throws MissingTool */
function run(tool: string, ...args: readonly string[]): string {
  try {
    return execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new MissingTool(tool);
    throw error;
  }
}

/** The circumstances of the caller, with a folder of its own for temporary files. */
export function asHere(folder: string): Stage {
  const timed = join(folder, 'temporary');
  mkdirSync(timed);
  // PostgreSQL, which does not run as root, has to get in.
  chmodSync(folder, 0o755);
  return {
    ...{ folder, timed },
    checkout: process.cwd(),
    environment: { TMPDIR: timed },
    through: () => [],
    ordered: { timed },
  };
}

export const isRoot = process.getuid?.() === 0;

/** Somebody who owns nothing on this machine but a copy of the checkout, and has no home. */
export function asNobody(stage: Stage): Stage {
  if (!isRoot) return { ...stage, ordered: { ...stage.ordered, user: process.getuid?.() } };
  run('setpriv', '--version');
  const [user, group] = [run('id', '-u', 'nobody'), run('id', '-g', 'nobody')];
  const copied = inCopy(stage, 'checkout');
  run('chown', '-R', `${user}:${group}`, copied.checkout, stage.timed);
  return {
    ...copied,
    environment: { ...stage.environment, HOME: '/nonexistent' },
    through: () => ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups'],
    ordered: { ...copied.ordered, user: Number(user) },
  };
}

/** In a copy of the checkout, with all that is not committed yet, under this name. */
export function inCopy(stage: Stage, name: string): Stage {
  const checkout = join(stage.folder, name);
  const files = run('git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  for (const file of files) if (file !== '') cpSync(file, join(checkout, file), { verbatimSymlinks: true });
  const packages = ['node_modules', 'test/generated-client/node_modules'];
  run('cp', '--archive', '--reflink=auto', '--parents', ...packages, checkout);
  return { ...stage, checkout, ordered: { ...stage.ordered, checkout } };
}

/** In a mount namespace where the checkout is mounted read-only: permissions would not bind root. */
export function inReadOnly(stage: Stage): Stage {
  return {
    ...stage,
    through: inNamespace('--mount', 'mount --bind -o ro "$PWD" "$PWD" && cd "$PWD"'),
    ordered: { ...stage.ordered, isCheckoutWritable: false },
  };
}

/** In a network namespace with 127.0.0.1 and nothing else. */
export function withoutIpv6(stage: Stage): Stage {
  run('ip', '-Version');
  const off = '/proc/sys/net/ipv6/conf/all/disable_ipv6';
  return {
    ...stage,
    through: inNamespace('--net', `{ [ ! -e ${off} ] || echo 1 > ${off}; } && ip link set lo up`),
    ordered: { ...stage.ordered, hasIpv6: false },
  };
}

/** A user who is not root may do so in a user namespace of their own, where the machine allows that. */
function inNamespace(kind: '--mount' | '--net', prepare: string): Stage['through'] {
  const own = isRoot ? [] : ['--user', '--map-current-user', '--keep-caps'];
  run('unshare', ...own, kind, 'sh', '-c', prepare);
  return () => ['unshare', ...own, kind, 'sh', '-c', `${prepare} && exec "$@"`, 'sh'];
}

/** With a locale that is installed, compiled into a folder of this circumstance, or with one that is certainly not. */
export function inGerman(isInstalled: boolean): (stage: Stage) => Stage {
  return (stage) => {
    const locales = join(stage.folder, 'locales');
    mkdirSync(locales);
    if (isInstalled) run('localedef', '-i', 'de_DE', '-f', 'UTF-8', join(locales, 'de_DE.UTF-8'));
    const language = { LOCPATH: locales, LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' };
    return {
      ...stage,
      environment: { ...stage.environment, ...language },
      ordered: { ...stage.ordered, language: 'de-DE' },
    };
  };
}

export const homeless = (stage: Stage): Stage => ({
  ...stage,
  environment: { ...stage.environment, HOME: undefined },
  ordered: { ...stage.ordered, home: null },
});

/** With spaces, and what else may stand in the name of a folder. */
export const oddName = "a path's (größte) spaces & more";

export function inOddTemporary(stage: Stage): Stage {
  const timed = join(stage.folder, oddName);
  mkdirSync(timed);
  return {
    ...stage,
    timed,
    environment: { ...stage.environment, TMPDIR: timed },
    ordered: { ...stage.ordered, timed },
  };
}

/** Some zones have two names, and a process tells one of them. */
const canonical = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

/** At this moment, in this zone, from then on; every process that is started there has libfaketime before its clock. */
export function at(begins: number, zone: string): (stage: Stage) => Stage {
  run('faketime', '--version');
  return (stage) => ({
    ...stage,
    environment: {
      ...stage.environment,
      TZ: zone,
      // Timers and the times of files stay as they are.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    // A distance and not a moment: every process has the same clock, whenever it is started.
    through: () => [
      'faketime',
      '-m',
      '-f',
      `${Math.ceil((begins - Date.now()) / 1_000)}s`.replace(/^\d/, '+$&'),
    ],
    ordered: { ...stage.ordered, begins, zone: canonical(zone) },
  });
}
