import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LineReader, startReading, type Understood } from '../sandbox/understand.ts';
import { wordsIn } from '../src/handlers/language/line.ts';
import { commands } from '../src/handlers/registry.ts';
import { inOneWord } from '../src/handlers/understanding/spoken.ts';

/** Which word of a line goes where, as the whole bot reads it: with what the appliance lists and who is in the workspace. */

let reader: LineReader;
beforeAll(async () => {
  reader = await startReading('dana', 'helpdesk');
  // Where the machine is busy, the first line does not wait long enough for what the appliance lists.
  await vi.waitUntil(
    async () => (await firstOf('turn off windows update'))?.includes('windows_update'),
    40_000,
  );
}, 60_000);
afterAll(() => reader.stop());

/** What of a line that the bot wrote is no word of the command itself. */
function valuesIn({ line, phrase }: Offered): readonly string[] {
  // A line in the line is another command.
  const own = phrase.includes('<line>') ? commandWords : new Set(phrase.split(' '));
  return wordsIn(line).flatMap(({ text, isQuoted }) =>
    !isQuoted && (own.has(text) || text.startsWith('--')) ? [] : [text.replace(/^tag:/, '')],
  );
}

const commandWords: ReadonlySet<string> = new Set(commands.flatMap(({ phrase }) => phrase.split(' ')));

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** As it was typed, or with what is said in several words as the one that it means: "half an hour" is 30m. */
const standsIn = (value: string, line: string): boolean =>
  [line, inOneWord(line)].some((said) => folded(said).includes(folded(value))) ||
  (value === '1h' && /\b(?:temporar|for (?:now|a|the) ?)/i.test(line));

type Offered = Pick<Understood['choices'][number], 'line' | 'phrase'>;

const offeredIn = ({ phrase, runs, choices }: Understood): readonly Offered[] => [
  ...(phrase === undefined || runs === undefined ? [] : [{ phrase, line: runs }]),
  ...choices,
];
const linesOf = (found: Understood): readonly string[] => offeredIn(found).map(({ line }) => line);
const firstOf = async (line: string) => linesOf(await reader.read(line))[0];

describe('a preposition says which slot a word goes into', () => {
  test.each([
    // Where it is now.
    ['acl record delete 101 from google_sni', 'acl record delete 101 --object google_sni'],
    ['acl record delete .zoom.us from 15', 'acl record delete .zoom.us --object 15'],
    ['acl record delete 101 102 from google_sni', 'acl record delete 101 102 --object google_sni'],
    [
      'remove acl record .zoom.us from video_conferences',
      'acl record delete .zoom.us --object video_conferences',
    ],
    [
      'acl record disable .zoom.us in video_conferences',
      'acl record disable .zoom.us --object video_conferences',
    ],
    ['take zoom.us out of video_conferences', 'acl record delete zoom.us --object video_conferences'],
    ['take .zoom.us off video_conferences please', 'acl record delete .zoom.us --object video_conferences'],
    ['drop windows.example from windows_update', 'acl record delete windows.example --object windows_update'],
    ['take casino.example out of the category gambling', 'category delete casino.example from gambling'],
    ['category delete casino.example out of gambling', 'category delete casino.example from gambling'],
    ['category delete casino.example in gambling', 'category delete casino.example from gambling'],
    ['get casino.example off gambling', 'category delete casino.example from gambling'],
    ['take statistics away from reports', 'sql database revoke statistics from reports'],
    ['log bob.miller off srv-files-01', 'rdp disconnect bob.miller'],
    ['drop maria.lopez from srv-erp-01', 'rdp disconnect maria.lopez'],
    // Where it goes.
    ['category add casino.example into gambling', 'category add casino.example to gambling'],
    ['category add into gambling casino.example', 'category add casino.example to gambling'],
    ['acl record add casino.example into suppliers', 'acl record add suppliers casino.example'],
    ['put casino.example under gambling', 'category add casino.example to gambling'],
    ['file casino.example as gambling', 'category add casino.example to gambling'],
    ['put portal.example onto suppliers', 'acl record add suppliers portal.example'],
    ['recategorize duolingo.example as education', 'category move duolingo.example from to education'],
    ['reclassify casino.example as games', 'category move casino.example from to games'],
    // From one to another, in either order.
    [
      'category move casino.example out of gambling into games',
      'category move casino.example from gambling to games',
    ],
    ['move casino.example from gambling into games', 'category move casino.example from gambling to games'],
    ['move casino.example into games from gambling', 'category move casino.example from gambling to games'],
    ['shift casino.example out of gambling to games', 'category move casino.example from gambling to games'],
  ])('%s', async (line, expected) => {
    expect(await firstOf(line)).toBe(expected);
  });

  test.each([
    'delete 101 from 102',
    'categorize casino.example in games.example',
    'delete casino.example from games.example',
    'disconnect 12 from 14',
  ])('and two things that one stands between are no list: %s', async (line) => {
    const [one = '', other = ''] = line.match(/\b(?:\d+|[a-z]+\.example)\b/g) ?? [];
    for (const offered of linesOf(await reader.read(line))) {
      expect(offered).not.toContain(`${one} ${other}`);
    }
  });
});

describe('a name that something is known by', () => {
  test.each([
    ['kick maria lopez', 'rdp disconnect maria.lopez'],
    ['rdp disconnect maria lopez', 'rdp disconnect maria.lopez'],
    ['log off maria lopez her session froze', 'rdp disconnect maria.lopez'],
    ['throw Priya Nair out, her screen is stuck', 'rdp disconnect priya.nair'],
    ['kick María López', 'rdp disconnect maria.lopez'],
    ['disconnect the session of Tom Becker please', 'rdp disconnect tom.becker'],
    ['reset the second factor of tom becker', 'mfa reset tom.becker'],
    ['nadia rahman is locked out of 2fa, unlock her', 'mfa unlock nadia.rahman'],
    ['turn off windows update', 'acl object disable windows_update'],
    ['acl records video conferences', 'acl records video_conferences'],
    ['disable rdp target srv erp 01', 'rdp target disable srv-erp-01'],
    ['failed rdp logins of maria lopez', 'rdp events --user maria.lopez'],
    ['remove casino.example from gambling', 'category delete casino.example from gambling'],
    ['remove casino.example from suppliers', 'acl record delete casino.example --object suppliers'],
    ['add casino.example to suppliers', 'acl record add suppliers casino.example'],
    ['add casino.example to gambling', 'category add casino.example to gambling'],
    ['add maria lopez to policy 5', 'rdp policy link member maria.lopez to 5'],
    ['remove maria.lopez from policy 5', 'rdp policy unlink member maria.lopez from 5'],
    ['remove srv-erp-01 from policy 5', 'rdp policy unlink target srv-erp-01 from 5'],
  ])('goes where its kind goes: %s', async (line, expected) => {
    expect(await firstOf(line)).toBe(expected);
  });

  test.each([
    ['kick bob.miller off google_sni', /(?:disconnect|session) .*google_sni|member google_sni/],
    [
      'delete gambling from suppliers',
      /object delete gambling|record delete gambling suppliers|member gambling/,
    ],
    ['unlink suppliers from policy 5', /(?:member|target) suppliers/],
    ['reset the second factor of suppliers', /mfa reset suppliers/],
  ])('and nowhere else: %s', async (line, wrong) => {
    for (const offered of linesOf(await reader.read(line))) expect(offered).not.toMatch(wrong);
  });
});

describe('a long text', () => {
  const filler = 'we had a meeting about other things and then lunch, ';

  test('is read to its end', async () => {
    expect(await firstOf(`${filler.repeat(8)}please kick session 12`)).toBe('rdp disconnect 12');
  });

  test('that is longer than what is read is said to be, and nothing of it is offered', async () => {
    const found = await reader.read(`kick session 12, ${filler.repeat(50)}`);
    expect(linesOf(found)).toEqual([]);
    expect(found.because).toMatch(/^This text has 2,[0-9]{3} characters, and the bot reads at most 2,000/);
  });

  test('is read in a moment, whatever it is', async () => {
    for (const text of ['a.b ', 'delete ', 'kick maria lopez off ', 'from ', 'xyz-1 ', '"']) {
      const began = performance.now();
      await reader.read(text.repeat(1_990 / text.length));
      expect(performance.now() - began, text).toBeLessThan(5_000);
    }
  });
});

describe('nothing is made up', () => {
  test.each([
    'why two sites',
    'why is the second one slow',
    'delete foo',
    'log off maria',
    'restart the printer',
    'throw them all out',
    'add printer to gambling',
    'block everybody now',
    'unblock number seven',
    'is queue empty',
    'move seven from gambling to games',
  ])('no word becomes a site by an end that nobody typed: %s', async (line) => {
    for (const offered of linesOf(await reader.read(line))) expect(offered).not.toContain('.com');
  });

  test('but a site that is asked about by its name alone is offered with its end, and not run', async () => {
    const found = await reader.read('why is tiktok blocked');
    expect(found).toMatchObject({ kind: 'choices', choices: [{ line: 'why tiktok.com' }] });
  });

  test.each([
    'timeline of the queue',
    'what was done by nobody',
    'rejected rdp logins from queue',
    'who changed the printer by hand',
    'what happened by accident today',
  ])('nobody is called so: %s', async (line) => {
    for (const offered of linesOf(await reader.read(line))) expect(offered).not.toMatch(/--(?:by|user)/);
  });

  test.each([
    ['what did bob do yesterday', '--by bob'],
    ['what did Carol Lindqvist do today', '--by "Carol Lindqvist"'],
    ['what has vic done this week', '--by vic'],
    ['rejected rdp logins of bob.miller', '--user bob.miller'],
    ['rejected rdp logins of j.smith', '--user j.smith'],
  ])('and somebody is: %s', async (line, said) => {
    expect(await firstOf(line)).toContain(said);
  });

  const lines = globSync('test/phrases/*.tsv').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((row) => row.split('\t', 1)[0] || []),
  );

  test('of all the lines that are tried, each value stands in its line', async () => {
    expect(lines.length).toBeGreaterThan(800);
    const invented: string[] = [];
    // A site that is asked about by its name alone is offered with its end.
    const isCompleted = (value: string, line: string, { kind }: Understood) =>
      kind === 'choices' && value.endsWith('.com') && standsIn(value.slice(0, -4), line);
    for (const line of lines) {
      const found = await reader.read(line);
      for (const offered of offeredIn(found)) {
        const said = valuesIn(offered).filter(
          (value) =>
            !standsIn(value, line) && !(/^(?:is|why)\b/.test(line) && isCompleted(value, line, found)),
        );
        if (said.length > 0) invented.push(`${line} → ${offered.line}`);
      }
    }
    expect(invented.join('\n')).toBe('');
  });
});
