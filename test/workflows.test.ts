import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };

const { devDependencies, devEngines, engines, scripts } = packageJson;

const read = (file: string): string => readFileSync(file, 'utf8');

/** The parts of a workflow that are held here; its whole shape is GitHub's to check. */
const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.number(),
      permissions: z.record(z.string(), z.string()).optional(),
      needs: z.string().optional(),
      strategy: z.object({ matrix: z.record(z.string(), z.array(z.unknown())) }).optional(),
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          with: z.record(z.string(), z.unknown()).optional(),
        }),
      ),
    }),
  ),
});

const workflows = globSync('.github/workflows/*.yml').map((file) => ({
  name: basename(file, '.yml'),
  text: read(file),
  ...workflow.parse(parse(read(file))),
}));
const ci = workflows.find(({ name }) => name === 'ci');

/** Commands of the jobs; a job with a matrix of scripts runs each of them. */
const commands = workflows.flatMap(({ jobs }) =>
  Object.values(jobs).flatMap(({ steps, strategy }) =>
    steps.flatMap(({ run = '' }) =>
      (strategy?.matrix.script ?? ['']).map((script) => run.replace('${{ matrix.script }}', String(script))),
    ),
  ),
);

/** The npm commands in a shell script: `npm ci`, `npm test`, `npm run lint`. */
const npmCommands = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^npm (?:run (?:--silent )?([\w:-]+)|(ci|test)\b)/gm)].map(
      ([, script, command]) => script ?? command ?? '',
    ),
  );

const called = npmCommands(commands.join('\n'));

describe('the workflows of GitHub Actions', () => {
  test('call npm scripts that exist', () => {
    expect([...called]).toEqual(expect.arrayContaining(['ci', 'lint', 'types', 'test', 'kills']));
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...called].filter((name) => name !== 'ci')));
  });

  test('call everything that .ci/run calls', () => {
    const decisive = [...npmCommands(read('.ci/run'))];
    expect(decisive).toEqual(expect.arrayContaining(['ci', 'lint', 'types', 'test']));
    expect([...called]).toEqual(expect.arrayContaining(decisive));
  });

  test.each(workflows)('$name uses actions at one commit, and names their version', ({ text }) => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test.each(workflows)(
    '$name may only read the repository, except for a tested release, keeps no token, and ends',
    ({ name, permissions, jobs }) => {
      expect(permissions).toEqual({ contents: 'read' });
      for (const [title, { steps, ...job }] of Object.entries(jobs)) {
        const isRelease = name === 'release' && title === 'release' && job.needs === 'test';
        const more = { contents: 'write', 'id-token': 'write', attestations: 'write' };
        expect(job.permissions).toEqual(isRelease ? more : undefined);
        expect(job['timeout-minutes']).toBeLessThanOrEqual(240);
        const [checkout] = steps;
        expect(checkout?.uses).toMatch(/^actions\/checkout@/);
        expect(checkout?.with).toMatchObject({ 'persist-credentials': false });
      }
    },
  );

  test('run on the oldest Node that the package takes, and on the one that comes with it', () => {
    const major = (range: string) => Number(/\d+/.exec(range)?.[0]);
    const tested = ci?.jobs.test?.strategy?.matrix.node ?? [];
    expect(tested[0]).toBe(major(engines.node));
    expect(tested).toContain(major(devDependencies.node));
    expect(Number(read('.nvmrc'))).toBe(major(devDependencies.node));
    expect(read('README.md')).toContain(`Node ${major(devEngines.runtime.version)} or later`);
  });
});

test('CODEOWNERS names existing files, and only owners of the organization', () => {
  const lines = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => /@/.test(line) && !/^# /.test(line));
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const [, pattern = '', owners = ''] = /^#(\S+) +(\S.*)$/.exec(line) ?? [];
    if (pattern !== '*') expect(existsSync(`.${pattern}`), pattern).toBe(true);
    expect(owners.split(' ').every((owner) => owner.startsWith('@OWNER/'))).toBe(true);
  }
});
