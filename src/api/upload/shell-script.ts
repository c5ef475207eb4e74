import { BadUpload } from './bad-upload.ts';

/**
 * The script of a shell package, and the two variables that the appliance reads in it (appliance-api.md §4.12).
 *
 * A script is looked at byte by byte (latin1): what is not UTF-8 in it, such as an old comment, stays as it is.
 */
export const scriptEncoding = 'latin1';

/**
 * One word as a shell reads it: plain or quoted, within one line, and nothing that is worked out only when it runs. A
 * word that went on over lines would be looked for from every line to the end of the script.
 */
const word = String.raw`(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\\.|[^ \t\n"'\\;&|<>()$\x60])*`;

/** Every place where a line begins with setting a variable, and the word it is set to where that can be read. */
const assignments = (variable: string) =>
  new RegExp(
    String.raw`^([ \t]*(?:(?:export|readonly|declare|typeset)(?:[ \t]+-\w+)*[ \t]+)?${variable}=)` +
      String.raw`(?:(${word})(?![^ \t\n;&|<>)])|)`,
    'gm',
  );

/** Whether a text can be written into a script without a way to be read differently. */
export function isShellPassword(text: string): boolean {
  return /^[^\s"'`\\$\p{Cc}\p{Cf}\p{Cs}]+$/u.test(text);
}

/**
 * @param hasPassword whether the configuration has the password that the script will get
 * @throws BadUpload with the first thing that would keep the script from running
 */
export function checkScript(script: string, hasPassword: boolean): void {
  if (script.startsWith('\xef\xbb\xbf')) {
    throw new BadUpload('shell.sh starts with a byte order mark; save it without one');
  }
  const carriage = script.indexOf('\r');
  if (carriage >= 0) {
    throw new BadUpload(
      `line ${lineAt(script, carriage)} of shell.sh has a Windows line ending; save the file with Unix line endings (LF)`,
    );
  }
  refuseHidden(script, 'SCRIPT_ID');
  refuseHidden(script, 'SHELL_PASS');
  const [id, ...more] = valuesOf(script, 'SCRIPT_ID');
  if (id === undefined)
    throw new BadUpload('shell.sh does not set SCRIPT_ID, which is needed to read its status');
  if (more.length > 0) throw new BadUpload('shell.sh sets SCRIPT_ID more than once');
  if (!/^[a-z0-9]+$/i.test(id))
    throw new BadUpload('SCRIPT_ID in shell.sh must contain only letters and digits');
  if (!hasPassword && passwordsIn(script).length === 0) {
    throw new BadUpload(
      'shell.sh does not set SHELL_PASS, and no shell password is configured for this appliance',
    );
  }
}

/** What stands before a command that does not begin its line: another command, or something else that is set. */
const startsCommand =
  /^(?![ \t]*#).*(?:[;&|({]|\b(?:then|do|else))[ \t]*(?:export[ \t]+)?$|^[ \t]*(?:export[ \t]+)?(?:\w+=\S*[ \t]+)+$/;

/** Longer than any line that somebody wrote, and short enough to be looked at in no time. */
const longestLine = 2_000;

/** What is set in the middle of a line is easily missed, and would win over what is written at the top. */
function refuseHidden(script: string, variable: string): void {
  const seen = new Set(
    [...script.matchAll(assignments(variable))].map(
      ({ 0: all, 1: start = '', index }) => index + all.indexOf(start) + start.length,
    ),
  );
  let offset = 0;
  for (const [index, line] of script.split('\n').entries()) {
    const places = [...line.matchAll(new RegExp(`(?<![\\w$])${variable}=`, 'g'))];
    if (places.length > 0 && line.length > longestLine) {
      throw new BadUpload(`line ${index + 1} of shell.sh is too long to check how it sets ${variable}`);
    }
    for (const { 0: set, index: at } of places) {
      if (seen.has(offset + at + set.length) || !startsCommand.test(line.slice(0, at))) continue;
      throw new BadUpload(
        `line ${index + 1} of shell.sh sets ${variable} in the middle of a line; set it on its own line`,
      );
    }
    offset += line.length + 1;
  }
}

/** The passwords that a script brings along. */
export function passwordsIn(script: string): string[] {
  return valuesOf(script, 'SHELL_PASS').flatMap((value) =>
    value === '' ? [] : [Buffer.from(value, scriptEncoding).toString()],
  );
}

/** What a variable is set to, without its quotes; as it is written where that is worked out when the script runs. */
function valuesOf(script: string, variable: string): string[] {
  return [...script.matchAll(assignments(variable))].map(({ 0: all, 2: value, index }) =>
    value === undefined
      ? restOfLine(script, index + all.length)
      : value.replaceAll(
          /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
          (_quoted, double, single, escaped) =>
            String(single ?? escaped ?? String(double).replaceAll(/\\(["\\$`])/g, '$1')),
        ),
  );
}

/**
 * The script with the password in it: wherever it sets one of its own, and otherwise after the line that names its
 * interpreter. Nothing else of it changes.
 * @throws BadUpload when the password or the script makes that unsafe
 */
export function withPassword(script: string, password: string): string {
  if (!isShellPassword(password)) {
    throw new BadUpload(
      'the configured shell password contains a quote, backslash, $ or space, which is not safe in a script',
    );
  }
  const quoted = `"${Buffer.from(password).toString(scriptEncoding)}"`;
  let found = false;
  const replaced = script.replaceAll(
    assignments('SHELL_PASS'),
    (_all, start: string, value: string | undefined, at: number) => {
      if (value === undefined) {
        throw new BadUpload(
          `line ${lineAt(script, at)} of shell.sh sets SHELL_PASS to a value computed at run time; set it to "" and the configured password is inserted`,
        );
      }
      found = true;
      return start + quoted;
    },
  );
  if (found) return replaced;
  const lines = script.split('\n');
  const start = lines[0]?.startsWith('#!') ? 1 : 0;
  return lines.toSpliced(start, 0, `SHELL_PASS=${quoted}`).join('\n');
}

function restOfLine(script: string, start: number): string {
  const end = script.indexOf('\n', start);
  return script.slice(start, end < 0 ? undefined : end);
}

/** From 1. */
function lineAt(script: string, index: number): number {
  return script.slice(0, index).split('\n').length;
}
