import { expect, test } from 'vitest';
import { code, type Field, person, plainText, say, strong } from '../../handlers/reply.ts';
import { oneWeight, render } from './render.ts';

const drawn = (...fields: readonly Field[]) =>
  render({ headline: [], details: [{ kind: 'fields', fields }] }).blocks;
const fact = (name: string, value: Field['value']): Field => ({ name, value });
const kinds = (...fields: readonly Field[]) => drawn(...fields).map(({ type }) => type);

test('short facts are beside each other, each with its name above it', () => {
  expect(
    drawn(fact('Person', say`bob.miller`), fact('Asked by', say`${person('U1')} at ${code('hq')}`)),
  ).toEqual([
    {
      type: 'section',
      fields: [
        { type: 'mrkdwn', text: '*Person*\nbob.miller', verbatim: true },
        { type: 'mrkdwn', text: '*Asked by*\n<@U1> at `hq`', verbatim: true },
      ],
    },
  ]);
});

test('ten fit into a block, and none is left out', () => {
  const blocks = drawn(...Array.from({ length: 23 }, (_, at) => fact(`Fact ${at}`, say`${at}`)));
  expect(blocks.map((block) => (block.type === 'section' ? block.fields?.length : 0))).toEqual([10, 10, 3]);
});

test('a sentence or a lone fact is a line below the short facts, which stay together', () => {
  const sentence = fact('State', say`the directory is connected by Kerberos since Monday, and all is well`);
  const [one, two] = [fact('Person', say`bob`), fact('Target', say`srv-1`)];
  expect(kinds(one, sentence, two)).toEqual(['section', 'rich_text']);
  expect(kinds(one, sentence)).toEqual(['rich_text']);
});

test.each([
  ['*bold*', '_x_', '~y~', '`code`', ':tada:', 'two\nlines'].map((value) => fact('Name', say`${value}`)),
  [fact('*bold*', say`x`), fact('Name', say`${strong('_x')}`), fact('Name', say`${code(':x:')}`)],
])('what Slack would read as formatting is a line, which Slack does not read', (...hostile) => {
  for (const one of hostile) {
    const [block, ...more] = drawn(one, one);
    expect(more).toEqual([]);
    expect(block?.type).toBe('rich_text');
    expect(JSON.stringify(block)).not.toContain('mrkdwn');
  }
});

test('mentions and links in a fact are plain letters', () => {
  const [block] = drawn(fact('A', say`<!channel>`), fact('B', say`<https://x.example|y> & z`));
  expect(JSON.stringify(block)).toContain('&lt;!channel&gt;');
  expect(JSON.stringify(block)).toContain('&lt;https://x.example|y&gt; &amp; z');
});

test('a headline is bold: its first sentence, or the part before the colon of a long one', () => {
  const weight = (text: Field['value']) =>
    oneWeight(text)
      .flat()
      .map((span) => (typeof span === 'string' ? span : `*${plainText([span])}*`).trim());
  expect(weight(say`Session 12 of ${strong('bob.miller')} disconnected`).join(' ')).toBe(
    '*Session 12 of bob.miller disconnected*',
  );
  expect(weight(say`4.50 is out. Read more.`)).toEqual(['*4.50 is out.*', 'Read more.']);
  expect(weight(say`${'No problems found'}: ${'all is running, '.repeat(6)}`)[0]).toBe(
    '*No problems found:*',
  );
  expect(weight(say`${code('rdp')} requires a role in ${'#helpdesk'}${'.'} Ask.`).at(-1)).toBe('Ask.');
  expect(weight(say`✅ Fine`)).toEqual(['✅', '* Fine*']);
});
