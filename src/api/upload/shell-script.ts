import { BadUpload } from './content.ts';

/**
 * The script of a shell package, and the two variables that the appliance reads in it (appliance-api.md §4.12).
 *
 * Scripts are read byte by byte (latin1), so that bytes outside UTF-8, such as old comments, stay unchanged.
 */
export const scriptEncoding = 'latin1';

/**
 * One word in shell syntax: plain or quoted, on one line, without expansions. A word across lines would be
 * searched from every line to the end of the script.
 */
const word = String.raw`(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\\.|[^ \t\n"'\\;&|<>()$\x60])*`;

/** Every assignment of a variable at the beginning of a line, with its value if that is readable. */
const assignments = (variable: string) =>
  new RegExp(
    String.raw`^([ \t]*(?:(?:export|readonly|declare|typeset)(?:[ \t]+-\w+)*[ \t]+)?${variable}=)` +
      String.raw`(?:(${word})(?![^ \t\n;&|<>)])|)`,
    'gm',
  );

/** Whether a text has only one meaning when written into a script. */
export function isShellPassword(text: string): boolean {
  return /^[^\s"'`\\$\p{Cc}\p{Cf}\p{Cs}]+$/u.test(text);
}

/**
 * @param hasPassword whether a password is configured for the script
 * @throws BadUpload with the first problem that would keep the script from running
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

/** Text before a command in the middle of a line: another command, or another assignment. */
const startsCommand =
  /^(?![ \t]*#).*(?:[;&|({]|\b(?:then|do|else))[ \t]*(?:export[ \t]+)?$|^[ \t]*(?:export[ \t]+)?(?:\w+=\S*[ \t]+)+$/;

/** Longer than any handwritten line, and short enough to check at once. */
const longestLine = 2_000;

/** An assignment in the middle of a line is easily missed, and would override the one at the top. */
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

export function passwordsIn(script: string): string[] {
  return valuesOf(script, 'SHELL_PASS').flatMap((value) =>
    value === '' ? [] : [Buffer.from(value, scriptEncoding).toString()],
  );
}

/** The values of a variable, without quotes; unchanged if the shell would compute them. */
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
 * Puts the password into the script: into every assignment, or otherwise after the line with the interpreter.
 * Nothing else changes.
 * @throws BadUpload if the password or the script makes that unsafe
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

/** Counts from 1. */
function lineAt(script: string, index: number): number {
  return script.slice(0, index).split('\n').length;
}
