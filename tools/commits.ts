import { execFileSync, spawnSync } from 'node:child_process';

/** How new commits look (CONTRIBUTING.md, “Commits”): `npm run commits`. */
export interface Commit {
  readonly hash: string;
  readonly subject: string;
  readonly body: string;
}

const longest = 72;

/** The check began then. Earlier history stays as it is; a date is there in every clone, also in a shallow one. */
const began = '2026-11-28T00:00:00Z';

/** Begin subjects that say what is now, and not what the commit does. */
const others = new Set(
  `a all an and any anybody as at both by each every everybody everything few for from how if in it its many more most no
nobody none nothing of on one only other others our some that the their these they this those to what when where which
who whoever whom whose why with without`.split(/\s+/),
);
const verbsInS = new Set(['Alias', 'Bias', 'Canvas']);
const verbsInEd = new Set(['Embed', 'Shed', 'Shred']);

/** The faults of a commit, in sentences; empty for a good one. */
export function mistakesIn({ subject, body }: Pick<Commit, 'subject' | 'body'>): readonly string[] {
  const [, verb = ''] = /^(?:[\w./-]+: )?(\S+)/.exec(subject) ?? [];
  const says = body
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^[A-Za-z-]+-(?:by|from|id): /i.test(line));
  return [
    ...(subject.length > longest
      ? [`Its subject has ${subject.length} characters, and ${longest} at most.`]
      : []),
    ...(isImperative(verb)
      ? []
      : [
          `Its subject begins with "${verb}": begin with a verb in the imperative, such as Add, Fix or test: Await.`,
        ]),
    ...(says.length === 0 ? ['It has no body: say why.'] : []),
  ];
}

/** As far as the form of a word tells. */
function isImperative(word: string): boolean {
  if (!/^[A-Z][a-z]+(?:-[a-z]+)*$/.test(word) || others.has(word.toLowerCase())) return false;
  if (/[^su]s$/.test(word)) return verbsInS.has(word);
  if (/[^e]ed$/.test(word)) return verbsInEd.has(word);
  // Bring and Ping have no vowel before it.
  return !/[aeiouy].*ing$/i.test(word);
}

/** Commits that the main branch lacks; without one, or on it, all since the check began. Merges are exempt. */
export function newCommits(folder: string): readonly Commit[] {
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', maxBuffer: 1e8 });
  const heads = git('for-each-ref', '--format=%(objectname)', 'refs/remotes/origin/main').split('\n');
  const landed = heads.filter((head) => head !== '' && head !== git('rev-parse', 'HEAD').trim());
  const range = ['HEAD', ...landed.map((head) => `^${head}`)];
  return git(
    'log',
    '--no-merges',
    `--since-as-filter=${began}`,
    '--format=%H%x00%s%x00%b%x01',
    ...range,
    '--',
  )
    .split('\u0001\n')
    .filter((one) => one.includes('\0'))
    .map((one) => {
      const [hash = '', subject = '', body = ''] = one.split('\0');
      return { hash, subject, body };
    });
}

if (import.meta.main) {
  // A copy of the files without the history has no commits.
  const isThere = spawnSync('git', ['rev-parse', '--verify', '--quiet', 'HEAD']).status === 0;
  const commits = isThere ? newCommits('.') : [];
  const wrong = commits.flatMap((commit) =>
    mistakesIn(commit).map((mistake) => `${commit.hash.slice(0, 12)} ${commit.subject}\n  ${mistake}\n`),
  );
  process.stdout.write(
    wrong.length === 0 ? `Commits since the last landing: ${commits.length}.\n` : wrong.join(''),
  );
  if (wrong.length > 0) process.exitCode = 1;
}
