import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { machine } from '../sandbox/machine.ts';
import { mistakesIn, newCommits } from '../tools/commits.ts';

const body = 'Nobody could tell why.\n';

test.each([
  'Write files of an answer in turns',
  'test: Await Run plan before pressing Stop',
  '.ci/run: Bring the site back',
  'Process replies in order',
  'Feed the watchdog twice as often',
  'Re-read the policy file',
  `Add ${'x'.repeat(68)}`,
])('the subject "%s" is taken', (subject) => expect(mistakesIn({ subject, body })).toEqual([]));

test.each([
  ['Whoever presses Stop waits until the bot has heard of it', 'begins with "Whoever"'],
  ['fixed a bug', 'begins with "fixed"'],
  ['Fixed a bug', 'begins with "Fixed"'],
  ['Fixes a bug', 'begins with "Fixes"'],
  ['Adding a test', 'begins with "Adding"'],
  ['test: the bot waits', 'begins with "the"'],
  ['', 'begins with ""'],
  [`Add ${'x'.repeat(69)}`, 'has 73 characters, and 72 at most'],
])('the subject "%s" is refused', (subject, why) =>
  expect(mistakesIn({ subject, body })).toEqual([expect.stringContaining(why)]),
);

test.each(['', '\n', 'Signed-off-by: Ana <ana@example.com>\n'])('a body of %j says nothing', (none) =>
  expect(mistakesIn({ subject: 'Add a test', body: none })).toEqual(['It has no body: say why.']),
);

describe('in a repository', () => {
  function repository() {
    const folder = mkdtempSync(join(tmpdir(), 'commits-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const at = (date: string) => ({ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    const git = (words: readonly string[], date = '2027-03-01T12:00:00Z') =>
      execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...words], {
        cwd: folder,
        env: { ...machine(), ...at(date), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    git(['init', '--initial-branch=main']);
    const commit = (message: string, date?: string) => git(['commit', '--allow-empty', '-m', message], date);
    return { folder, git, commit, found: () => newCommits(folder).map(({ subject }) => subject) };
  }

  test('history from before the check is not looked at, and neither are merges', () => {
    const { git, commit, found } = repository();
    commit('What there was before', '2026-11-27T12:00:00Z');
    git(['checkout', '-b', 'side']);
    commit('Add one');
    git(['checkout', 'main']);
    commit('Add another');
    git(['merge', '--no-ff', '-m', 'Merge branch side', 'side']);
    expect(found().toSorted()).toEqual(['Add another', 'Add one']);
  });

  test('commits that have landed are not looked at again, and on the main branch itself all are', () => {
    const { git, commit, found } = repository();
    commit('Land this');
    git(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
    expect(found()).toEqual(['Land this']);
    commit('Add this\n\nWith a body\nof two lines.');
    expect(found()).toEqual(['Add this']);
  });

  test('the command names each commit that is refused, and ends with 1', () => {
    const { folder, commit } = repository();
    const run = () =>
      spawnSync(process.execPath, [join(import.meta.dirname, '../tools/commits.ts')], {
        cwd: folder,
        env: machine(),
        encoding: 'utf8',
      });
    commit('Add this\n\nIt was missing.');
    expect(run()).toMatchObject({ status: 0, stdout: 'Commits since the last landing: 1.\n' });
    commit('nothing works');
    const { status, stdout } = run();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^[0-9a-f]{12} nothing works\n {2}Its subject begins with "nothing"/);
    expect(stdout).toContain('It has no body: say why.');
    expect(stdout).not.toContain('Add this');
  });
});
