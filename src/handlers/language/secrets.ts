import type { AnyCommand } from '../command.ts';

/** Whether a command wants a password, which comes by form only. */
export const takesSecret = (command: AnyCommand): boolean =>
  Object.values(command.args).some(({ input }) => input === 'secret');

/** `--password x`, `--new-pasword x`, `--pw=x`: by the look-ahead the name is read once, however long it is. */
const secretOption =
  /(?:^|[\s"'=,;])--?(?=[\w-]*(?:pa?ss?w|pwd|secret|token)|(?:[\w-]*-)?(?:pass(?:phrase|code)?|pw)\b)[\w-]+(?:\s+|\s*[=:]\s*)(?!--)\S/i;
/** `password: x`, `pwd=x`, `vnc_pass=x` */
const secretPair =
  /(?:^|[\s"'=,;])(?:[\w.-]*(?:password|passwd|passphrase|passcode|[_.-]pass|pwd|secret|token)|pass)\s*[=:]\s*\S/i;

/** Whatever the command is, a chat keeps such a line. */
export function carriesSecret(line: string): boolean {
  return secretOption.test(line) || secretPair.test(line);
}
