import { expect, test } from 'vitest';
import { checkBlocks } from '../../../sandbox/workspace/blocks.ts';
import { buttonRow } from './buttons.ts';

const labelled = (label: string) => buttonRow([{ press: 'offer', label, token: 'opaque' }]);
const textOf = (label: string): unknown => {
  const [button] = labelled(label).elements;
  return button?.type === 'button' ? button.text : undefined;
};

test.each([
  ['hotfix\u202egzt.exe', 'hotfix\ufffdgzt.exe'],
  ['two\nlines\u0000', 'two\ufffdlines\ufffd'],
  ['<!channel> :bomb:', '<!channel> :bomb:'],
  ['', '–'],
  [' \t ', '\ufffd'],
])('what stands on a button is read and not obeyed: %j', (label, shown) => {
  expect(textOf(label)).toEqual({ type: 'plain_text', text: shown, emoji: false });
  expect(checkBlocks([labelled(label)], 'message').problems).toEqual([]);
});

test('a long label is cut to what Slack takes, never within a letter', () => {
  for (let shift = 0; shift < 2; shift += 1) {
    const label = `${'x'.repeat(shift)}${'🧨'.repeat(60)}`;
    expect(checkBlocks([labelled(label)], 'message').problems).toEqual([]);
    expect(JSON.stringify(labelled(label))).not.toMatch(/\\ud[89a-f]/);
  }
});
