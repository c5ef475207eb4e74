import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Policy } from '../auth/policy.ts';
import type { Vocabulary } from '../auth/rule.ts';
import type { Problem } from '../problem.ts';
import { entriesOf, listOf } from './entries.ts';
import type { ConfigFinding } from './findings.ts';
import { readPolicyText } from './policy-file.ts';
import { type Environment, whyUnreadable } from './secret.ts';
import type { PolicyFile } from './shape/file-shape.ts';
import { unknownWords } from './unknown-words.ts';

/** The policy file, read again while the bot runs. */
export type RereadPolicy =
  | {
      readonly ok: true;
      readonly policy: Policy;
      /** Identifies this version of the appliances, if it is not the running one. */
      readonly waiting: string | undefined;
      readonly webhook: PolicyFile['webhook'];
      readonly files: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface RunningConfig extends Pick<PolicyFile, 'appliances' | 'fleet'> {
  readonly file: string;
  readonly environment: Environment;
  readonly vocabulary: Vocabulary;
}

/** Reads and checks the whole file, and that its channels use only appliances that the bot was started with. */
export function rereadPolicy({ file, environment, vocabulary, ...running }: RunningConfig): RereadPolicy {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const example = 'APPLIANCE_BOT_CONFIG=/etc/appliance-bot.yml';
    return { ok: false, problems: [{ key: file, wrong: `${whyUnreadable(error)}.`, example }] };
  }
  const { meaning, missing, files, content, problemsWith } = readPolicyText(text, file, environment);
  const names = [...running.fleet.keys()];
  const later = meaning === undefined ? [] : notRunning(content, names);
  const found = [...problemsWith([...unknownWords(content, vocabulary), ...later]), ...missing];
  if (meaning === undefined || found.length > 0) return { ok: false, problems: found };
  const digest = digestOf(meaning);
  const { policy, webhook } = meaning;
  return { ok: true, policy, webhook, files, waiting: digest === digestOf(running) ? undefined : digest };
}

/** Channels whose appliances are in the file but were not started. */
function notRunning(content: unknown, running: readonly string[]): readonly ConfigFinding[] {
  return Object.entries(entriesOf(content, 'channels')).flatMap(([id, channel]) => {
    const { appliance, appliances } = entriesOf(channel);
    return [
      { path: ['channels', id, 'appliance'], name: appliance },
      ...listOf(appliances).map((name, index) => ({ path: ['channels', id, 'appliances', index], name })),
    ].flatMap(({ path, name }) =>
      typeof name !== 'string' || running.includes(name)
        ? []
        : [
            {
              path,
              wrong: `refers to ${name}, which was added after the bot started. Restart the bot to use it.`,
            },
          ],
    );
  });
}

/** A digest only, because the settings include secrets. */
function digestOf({ appliances, fleet }: Pick<PolicyFile, 'appliances' | 'fleet'>): string {
  return createHash('sha256')
    .update(JSON.stringify([appliances, [...fleet]]))
    .digest('hex');
}
