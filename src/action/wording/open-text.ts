import { say, type Text } from '../../handlers/reply.ts';
import { carriesSecret } from '../../secrets.ts';

export const passwordInText = say`This looks like a password. Leave it out: it would be stored and shown.`;

/** What is wrong with words from a form that others read, or the journal keeps, and that no command reads first. */
export function textProblem(text: string): Text | undefined {
  return carriesSecret(text) ? passwordInText : undefined;
}
