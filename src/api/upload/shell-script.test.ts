import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { processorTime } from '../../../test/processor-time.ts';
import { checkScript, isShellPassword, passwordsIn, withPassword } from './shell-script.ts';

const script = (...lines: string[]) => ['#!/bin/sh', ...lines, 'exit 0', ''].join('\n');
const id = 'SCRIPT_ID="check1"';
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

describe('line endings', () => {
  test.each<[string, number]>([
    ['#!/bin/sh\r\nSCRIPT_ID=a\r\n', 1],
    ['#!/bin/sh\nSCRIPT_ID=a\n\necho done\r\nexit 0\n', 4],
    ['#!/bin/sh\nSCRIPT_ID=a\necho "half\rway"', 3],
  ])('of Windows are told with their first line: %j', (text, line) => {
    expect(() => checkScript(text, true)).toThrow(
      `line ${line} of shell.sh has a Windows line ending; save the file with Unix line endings (LF)`,
    );
  });

  test('of Unix are accepted, even if the last one is missing', () => {
    expect(() => checkScript('#!/bin/sh\nSCRIPT_ID=a', true)).not.toThrow();
  });

  test('a byte order mark, which hides the interpreter, is refused', () => {
    expect(() => checkScript(bytesOf(`\uFEFF${script(id)}`), true)).toThrow(
      'shell.sh starts with a byte order mark; save it without one',
    );
  });
});

describe('SCRIPT_ID', () => {
  test.each([
    'SCRIPT_ID=check1',
    'SCRIPT_ID="check1"',
    "SCRIPT_ID='check1'",
    'export SCRIPT_ID=check1',
    'export SCRIPT_ID="check1" # as in the ticket',
    'readonly SCRIPT_ID=check1',
    'declare -r SCRIPT_ID=check1',
    '\tSCRIPT_ID=check1 ',
    'SCRIPT_ID=check1; export SCRIPT_ID',
    'SCRIPT_ID=2026',
    '# SCRIPT_ID="check-2"\nSCRIPT_ID=check1\necho "SCRIPT_ID=$SCRIPT_ID"\nMY_SCRIPT_ID=1-2',
  ])('is accepted as %j', (line) => {
    expect(() => checkScript(script(line), true)).not.toThrow();
  });

  test.each([
    'SCRIPT_ID="check-1"',
    'SCRIPT_ID=check_1',
    'SCRIPT_ID="check 1"',
    'SCRIPT_ID=',
    'SCRIPT_ID=""',
    'SCRIPT_ID= check1',
    'SCRIPT_ID=größe',
    'SCRIPT_ID="$1"',
    'SCRIPT_ID=$(date +%s)',
    'SCRIPT_ID=`date +%s`',
    'SCRIPT_ID="check1',
    'SCRIPT_ID=check1#2',
  ])('is letters or digits and nothing else, so not %j', (line) => {
    expect(() => checkScript(script(line), true)).toThrow(
      'SCRIPT_ID in shell.sh must contain only letters and digits',
    );
  });

  test.each(['echo no', '# SCRIPT_ID=check1', 'script_id=check1', 'SCRIPT_ID =check1'])(
    'is required: %j',
    (line) => {
      expect(() => checkScript(script(line), true)).toThrow(
        'shell.sh does not set SCRIPT_ID, which is needed to read its status',
      );
    },
  );

  test('is set only once', () => {
    expect(() => checkScript(script(id, 'export SCRIPT_ID=check2'), true)).toThrow(
      'shell.sh sets SCRIPT_ID more than once',
    );
  });
});

describe('the password', () => {
  test.each([
    'SCRIPT_ID=a SHELL_PASS=old',
    'SCRIPT_ID=a; SHELL_PASS=old',
    'export SCRIPT_ID=a SHELL_PASS=old',
    'SCRIPT_ID=a\nif true; then SHELL_PASS=old; fi',
  ])(
    'that is set in the middle of a line, where it would win over the configured one, is refused: %j',
    (lines) => {
      expect(() => checkScript(`#!/bin/sh\n${lines}\n`, true)).toThrow(
        /sets SHELL_PASS in the middle of a line/,
      );
    },
  );

  test('is found quickly in any script', () => {
    const script = `#!/bin/sh\nSCRIPT_ID=a1\n${`SHELL_PASS='"'\\'"\n`.repeat(24_000)}`;
    expect(processorTime(() => checkScript(script, false))).toBeLessThan(2_000);
  });

  test.each(['SHELL_PASS=', 'SHELL_PASS=""', '# SHELL_PASS=hush', 'echo no'])(
    'of the script is required if none is configured: %j is none',
    (line) => {
      expect(() => checkScript(script(id, line), false)).toThrow(
        'shell.sh does not set SHELL_PASS, and no shell password is configured for this appliance',
      );
      expect(() => checkScript(script(id, line), true)).not.toThrow();
    },
  );

  test.each<[string, string]>([
    ['SHELL_PASS=hush', 'hush'],
    ['export SHELL_PASS="hush # hush" # the lab’s', 'hush # hush'],
    ["SHELL_PASS='hu\"sh'", 'hu"sh'],
    ['SHELL_PASS="hu\\"sh"', 'hu"sh'],
    ['SHELL_PASS=hu"sh"\\ \'2\'', 'hush 2'],
    ['SHELL_PASS="fürs Labor"', 'fürs Labor'],
  ])('of the script is known, so that it can be hidden: %s', (line, password) => {
    const text = bytesOf(script(id, line));
    expect(() => checkScript(text, false)).not.toThrow();
    expect(passwordsIn(text)).toEqual([password]);
  });

  test('from the configuration follows the line with the interpreter', () => {
    expect(withPassword(script(id), 'correct-horse')).toBe(
      '#!/bin/sh\nSHELL_PASS="correct-horse"\nSCRIPT_ID="check1"\nexit 0\n',
    );
  });

  test('comes first without an interpreter', () => {
    expect(withPassword('SCRIPT_ID=a\n', 'hush')).toBe('SHELL_PASS="hush"\nSCRIPT_ID=a\n');
  });

  test.each<[string, string]>([
    ['SHELL_PASS=old', 'SHELL_PASS="new"'],
    ['SHELL_PASS="old"', 'SHELL_PASS="new"'],
    ["SHELL_PASS='old one'", 'SHELL_PASS="new"'],
    ['SHELL_PASS=', 'SHELL_PASS="new"'],
    ['export SHELL_PASS=old', 'export SHELL_PASS="new"'],
    ['export SHELL_PASS="old" # the lab’s', 'export SHELL_PASS="new" # the lab’s'],
    ['SHELL_PASS="old"; export SHELL_PASS', 'SHELL_PASS="new"; export SHELL_PASS'],
    ['SHELL_PASS="o\\"ld"', 'SHELL_PASS="new"'],
    ['SHELL_PASS="$(cat /etc/pass)"', 'SHELL_PASS="new"'],
    ['SHELL_PASS=old ./install.sh', 'SHELL_PASS="new" ./install.sh'],
    ['if true; then\n  SHELL_PASS=old\nfi', 'if true; then\n  SHELL_PASS="new"\nfi'],
    ['SHELL_PASS=old\nSHELL_PASS=older', 'SHELL_PASS="new"\nSHELL_PASS="new"'],
  ])('takes the place of the script’s own, and nothing else changes: %j', (line, replaced) => {
    expect(withPassword(script(id, line), 'new')).toBe(script(id, replaced));
  });

  test.each(['SHELL_PASS=$(cat /etc/pass)', 'SHELL_PASS=`cat /etc/pass`', 'SHELL_PASS="never closed'])(
    'is not put where something is worked out first: %s',
    (line) => {
      expect(() => withPassword(script(id, line), 'new')).toThrow(
        'line 3 of shell.sh sets SHELL_PASS to a value computed at run time; ' +
          'set it to "" and the configured password is inserted',
      );
    },
  );

  test.each(['$1', '$&', "it's", 'a b', 'a"b', 'a`b', 'a\\b', 'a$b', 'a\nb', 'a\u00a0b', 'a\0b', ''])(
    'is refused when a script cannot carry it: %j',
    (password) => {
      expect(isShellPassword(password)).toBe(false);
      let said = '';
      try {
        withPassword(script(id), password);
      } catch (error) {
        said = String(error);
      }
      expect(said).toContain('which is not safe in a script');
      if (password.length > 2) expect(said).not.toContain(password);
    },
  );

  test.each(['correct-horse', 'ünïcödé试🙂', '#!%&()*+,-./:;<=>?@[]^_{|}~', '~root', '!!'])(
    'is what the script then has when it runs: %s',
    (password) => {
      expect(isShellPassword(password)).toBe(true);
      for (const own of ['', 'SHELL_PASS=old', 'export SHELL_PASS="old"']) {
        const written = withPassword(script(id, own, 'printf %s "$SHELL_PASS"'), password);
        const ran = execFileSync('sh', { input: Buffer.from(written, 'latin1') });
        expect(ran.toString()).toBe(password);
      }
    },
  );
});

test('bytes that are not UTF-8 stay as they are', () => {
  const old = Buffer.concat([Buffer.from(script(id)), Buffer.of(0x23, 0xe9, 0xff, 0x85, 0xa0, 0x0a)]);
  const written = Buffer.from(withPassword(old.toString('latin1'), 'hush'), 'latin1');
  expect(written.subarray(-6)).toEqual(old.subarray(-6));
  expect(written.length).toBe(old.length + 'SHELL_PASS="hush"\n'.length);
});

test('a slow-by-design script of 1 MiB is checked at once', () => {
  const spent = processorTime(() => {
    for (const line of [
      'SHELL_PASS="',
      'SHELL_PASS=\\',
      "SHELL_PASS='",
      'SHELL_PASS=a$(',
      `SHELL_PASS=${'a'.repeat(2_000)}`,
    ]) {
      const text = script(id, ...Array.from({ length: Math.floor(1_000_000 / line.length) }, () => line));
      try {
        checkScript(text, false);
        withPassword(text, 'hush');
      } catch {
        // Any answer counts, also a refusal.
      }
    }
    const one = `SHELL_PASS=${'a'.repeat(1_000_000)}`;
    expect(passwordsIn(one)).toHaveLength(1);
  });
  expect(spent).toBeLessThan(8_000);
});
