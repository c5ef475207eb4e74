import { expect, test } from 'vitest';
import { sentName } from './sent-name.ts';

test.each([
  ['hotfix-20261120-01.tgz', 'hotfix-20261120-01.tgz'],
  ['Größe 试验.tgz', 'Größe 试验.tgz'],
  ['../../x.tgz', 'x.tgz'],
  ['C:\\temp\\x.tgz', 'x.tgz'],
  ['x\u202ezgt.exe.tgz', 'x_zgt.exe.tgz'],
  ['a "quoted" name.tgz', 'a _quoted_ name.tgz'],
  ['two\r\nlines.tgz', 'two__lines.tgz'],
  ['nul\u0000.tgz', 'nul_.tgz'],
  ['filler\u3164.tgz', 'filler_.tgz'],
  ['$(reboot);`id`.tgz', '_(reboot)__id_.tgz'],
  ['100%2e%2e%2fx.tgz', '100_2e_2e_2fx.tgz'],
  ['-rf.tgz', 'rf.tgz'],
  ['.hidden.tgz', 'hidden.tgz'],
  ['..', 'file'],
  ['/', 'file'],
  ['.tgz', 'file.tgz'],
  ['🙂.zip', '_.zip'],
])('%j is sent as %j', (given, sent) => {
  expect(sentName(given)).toBe(sent);
  expect(sentName(sent)).toBe(sent);
});

test('a long name is shortened between two letters, and keeps its ending', () => {
  for (const letter of ['x', 'я', '试', '𠀀']) {
    const sent = sentName(`${letter.repeat(5_000)}.zip`);
    expect(sent).toMatch(new RegExp(`^${letter}+\\.zip$`, 'u'));
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(150);
    expect(Buffer.byteLength(sent)).toBeGreaterThan(140);
  }
});
