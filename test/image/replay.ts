import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../src/config/secret.ts';
import { copyContext } from './context.ts';
import { type Stage, stagesIn } from './dockerfile.ts';

const run = promisify(execFile);
/** Somebody without rights, as whom an image runs where the tests run as root. */
const nobody = 65_534;

/** The files and settings of an image, in a folder. */
export interface Replayed {
  readonly root: string;
  /** Runs it with these words, in an environment of its own and these settings. */
  readonly start: (words: readonly string[] | undefined, settings?: Environment) => ChildProcess;
  /** Runs the command of its health check beside it. */
  readonly health: (settings: Environment) => ChildProcess;
  readonly user: string;
}

/**
 * Follows a Dockerfile, step by step, in an empty folder: a machine without containers finds out all the same whether what
 * stands in the image runs. Node and npm are those of the test and stand for the base image; paths are below the folder.
 */
export async function replay(dockerfile: string, context: string, into: string): Promise<Replayed> {
  const stages = stagesIn(dockerfile);
  const roots = new Map<string, string>();
  let last: Made | undefined;
  for (const [index, stage] of stages.entries()) {
    const root = join(into, String(index));
    if (stage.name !== undefined) roots.set(stage.name, root);
    last = await make(stage, root, { context, into, roots });
  }
  if (last === undefined) throw new Error('An empty Dockerfile');
  const { root, workdir, env, settled } = last;
  for (const stage of roots.values()) rmSync(stage, { recursive: true });
  const settings = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, within(root, value)]),
  );
  const isRoot = process.getuid?.() === 0;
  for (const volume of settled.get('VOLUME')?.split(' ') ?? []) {
    if (isRoot) chownSync(join(root, volume), nobody, nobody);
  }
  await run('chmod', ['-R', 'a-w,a+rX', root]);
  for (const volume of settled.get('VOLUME')?.split(' ') ?? []) chmodSync(join(root, volume), 0o700);
  const execute = ([program = '', ...words]: readonly string[], more: Environment = {}) =>
    spawn(program, words, {
      cwd: join(root, workdir),
      env: { ...settings, ...more },
      ...(isRoot && { uid: nobody, gid: nobody }),
    });
  const [entrypoint, cmd] = ['ENTRYPOINT', 'CMD'].map((word): readonly string[] =>
    JSON.parse(settled.get(word) ?? '[]'),
  );
  const [, check = '[]'] = / CMD (\[.*\])$/.exec(settled.get('HEALTHCHECK') ?? '') ?? [];
  return {
    root,
    user: settled.get('USER') ?? 'root',
    start: (words = cmd, more = {}) => execute([...(entrypoint ?? []), ...(words ?? [])], more),
    health: (more) => execute(JSON.parse(check), more),
  };
}

interface Made {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Settings of the image that are not files. */
  readonly settled: ReadonlyMap<string, string>;
}

interface Building {
  readonly context: string;
  readonly into: string;
  readonly roots: ReadonlyMap<string, string>;
}

async function make({ orders }: Stage, root: string, { context, into, roots }: Building): Promise<Made> {
  const sent = join(into, 'context');
  let workdir = '/';
  let env: Record<string, string> = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const settled = new Map<string, string>();
  mkdirSync(root, { recursive: true });
  for (const { word, rest } of orders) {
    if (word === 'WORKDIR') {
      workdir = rest;
      mkdirSync(join(root, rest), { recursive: true });
    } else if (word === 'ENV') {
      const path = env.PATH ?? '';
      for (const one of rest.split(' ')) {
        const [name = '', value = ''] = one.split('=');
        env = { ...env, [name]: value.replace('$PATH', path) };
      }
    } else if (word === 'RUN') {
      // Only root can give a folder away, and the user of the base image is not there.
      const tools = join(into, 'tools');
      mkdirSync(tools, { recursive: true });
      writeFileSync(join(tools, 'chown'), '#!/bin/sh\n', { mode: 0o755 });
      const own = { ...process.env, ...env, PATH: `${tools}:${env.PATH}` };
      await run('sh', ['-ec', within(root, rest)], { cwd: join(root, workdir), env: own, maxBuffer: 1e8 });
    } else if (word === 'COPY') {
      const words = rest.split(' ');
      const [, stage] = /^--from=(.+)$/.exec(words[0] ?? '') ?? [];
      const from = stage === undefined ? sent : (roots.get(stage) ?? '');
      if (stage === undefined) copyContext(context, sent);
      const [to = '', ...sources] = words.slice(stage === undefined ? 0 : 1).reverse();
      const target = to.startsWith('/') ? join(root, to) : join(root, workdir, to);
      for (const source of sources) {
        const path = join(from, source);
        const isInto = to.endsWith('/') && statSync(path).isFile();
        cpSync(path, isInto ? join(target, basename(path)) : target, {
          recursive: true,
          verbatimSymlinks: true,
        });
      }
    } else {
      settled.set(word, rest);
    }
  }
  return { root, workdir, env, settled };
}

/** Maps the image's absolute paths into the folder. */
const within = (root: string, text: string): string =>
  text.replace(/(?<=^|[\s:])\/(?=(?:app|data)\b)/g, `${root}/`);
