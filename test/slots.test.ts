import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LineReader, startReading, type Understood } from '../sandbox/understand.ts';
import { wordsIn } from '../src/handlers/language/line.ts';
import { commands } from '../src/handlers/registry.ts';
import { inOneWord } from '../src/handlers/understanding/spoken.ts';
import { timeOf } from './processor-time.ts';

/**
 * The slots of a line's words, as the whole bot reads them: with the lists of the appliance and the people of the
 * workspace.
 */

let reader: LineReader;
beforeAll(async () => {
  reader = await startReading('dana', 'helpdesk');
  // A busy machine makes the first line run before the appliance's list has come.
  await vi.waitUntil(
    async () => (await firstOf('turn off windows update'))?.includes('windows_update'),
    40_000,
  );
}, 60_000);
afterAll(() => reader.stop());

/** The values of a line that the bot wrote: all but the words of its command. */
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

/** Whether a value is in the line, or several words mean it: "half an hour" is 30m. */
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

describe('a preposition chooses the slot of a word:', () => {
  test.each([
    // From its present place.
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
    // To its new place.
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
  ])('two things around one are no list: %s', async (line) => {
    const [one = '', other = ''] = line.match(/\b(?:\d+|[a-z]+\.example)\b/g) ?? [];
    for (const offered of linesOf(await reader.read(line))) {
      expect(offered).not.toContain(`${one} ${other}`);
    }
  });
});

describe('a name of a known kind', () => {
  test('that two kinds share takes no word that looks like nothing', async () => {
    const [first, ...others] = linesOf(await reader.read('put dave in Contractors'));
    expect(first).toBe('rdp policy link member to Contractors');
    expect(others.join()).not.toContain('dave');
    expect(await firstOf('put .acme.example in Contractors')).toContain('.acme.example');
    expect(await firstOf('add dave to unlimited_users')).toBe('acl record add unlimited_users dave');
  });

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
  ])('goes into the slot of its kind: %s', async (line, expected) => {
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
  ])('and into no other: %s', async (line, wrong) => {
    for (const offered of linesOf(await reader.read(line))) expect(offered).not.toMatch(wrong);
  });
});

describe('a long text', () => {
  const filler = 'we had a meeting about other things and then lunch, ';

  test('is read to its end', async () => {
    expect(await firstOf(`${filler.repeat(8)}please kick session 12`)).toBe('rdp disconnect 12');
  });

  test('is reported as too long, and nothing of it is offered', async () => {
    const found = await reader.read(`kick session 12, ${filler.repeat(50)}`);
    expect(linesOf(found)).toEqual([]);
    expect(found.because).toMatch(/^This text has 2,[0-9]{3} characters, and the bot reads at most 2,000/);
  });

  test('is read in a moment, whatever it is', async () => {
    for (const text of ['a.b ', 'delete ', 'kick maria lopez off ', 'from ', 'xyz-1 ', '"']) {
      const took = await timeOf(() => reader.read(text.repeat(1_990 / text.length)));
      expect(took, text).toBeLessThan(5_000);
    }
  });
});

describe('the bot invents nothing:', () => {
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
  ])('no word becomes a site by an ending that nobody typed: %s', async (line) => {
    for (const offered of linesOf(await reader.read(line))) expect(offered).not.toContain('.com');
  });

  test('a site named without its ending is offered with it, and not run', async () => {
    const found = await reader.read('why is tiktok blocked');
    expect(found).toMatchObject({ kind: 'choices', choices: [{ line: 'why tiktok.com' }] });
  });

  test.each([
    'timeline of the queue',
    'what was done by nobody',
    'rejected rdp logins from queue',
    'who changed the printer by hand',
    'what happened by accident today',
  ])('no person of this name exists: %s', async (line) => {
    for (const offered of linesOf(await reader.read(line))) expect(offered).not.toMatch(/--(?:by|user)/);
  });

  test.each([
    ['what did bob do yesterday', '--by bob'],
    ['what did Carol Lindqvist do today', '--by "Carol Lindqvist"'],
    ['what has vic done this week', '--by vic'],
    ['rejected rdp logins of bob.miller', '--user bob.miller'],
    ['rejected rdp logins of j.smith', '--user j.smith'],
  ])('a person of this name exists: %s', async (line, said) => {
    expect(await firstOf(line)).toContain(said);
  });

  const lines = globSync('test/phrases/*.tsv').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((row) => row.split('\t', 1)[0] || []),
  );

  test('each offered value stands in its line, for all lines that are tried', async () => {
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
