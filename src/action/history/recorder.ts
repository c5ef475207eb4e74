import type { Policy } from '../../auth/policy.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { plainText } from '../../handlers/reply.ts';
import { namesIn } from '../../journal/audit/about.ts';
import type { Action, AuditRecord, Recorder } from '../../journal/journal.ts';
import type { Log } from '../../telemetry/log.ts';
import { shownIn } from '../base/stored.ts';
import { isWithheld } from '../showing/card.ts';
import { announce } from './audit-channel.ts';
import { isDenial } from './denial.ts';
import { tellLog } from './told-in-log.ts';

/** Who makes traces of what is over. */
export interface TraceBook {
  readonly idOf: (action: string) => string;
  readonly over: (record: AuditRecord, earlier: AuditRecord | undefined) => void;
}

/** Makes records of what is over: the journal keeps it, and here it is known what it says. */
export function createRecorder(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  policy: () => Policy,
  log: Log,
  traces?: TraceBook,
): Recorder {
  const tell = tellLog(log);
  return {
    commandOf: ({ phrase }) => {
      const command = commandByPhrase.get(phrase ?? '');
      return command && nameOf(command);
    },
    isDenied: ({ outcome, state }) =>
      (state === 'refused' || state === 'cancelled') && outcome !== undefined && isDenial(outcome.code),
    previewOf: (preview) => {
      const shown = shownIn(preview);
      if (shown === undefined) return { question: '(can no longer be read)', fields: [] };
      const { question, fields, start } = shown;
      return {
        question: plainText(question),
        ...(start?.line !== undefined && { line: start.line }),
        fields: fields.map(({ name, value }) => ({ name, value: plainText(value) })),
      };
    },
    isWithheld: (action) => isWithheld(action, commandByPhrase.get(action.phrase ?? '')),
    aboutOf: (action) => aboutOf(action, isWithheld(action, commandByPhrase.get(action.phrase ?? ''))),
    announce: (recorded, earlier) => announce(policy(), recorded, earlier),
    traceOf: traces?.idOf,
    recorded: (record, earlier) => {
      tell(record, earlier);
      traces?.over(record, earlier);
    },
  };
}

/** What an action is about: what was typed, and what that was found to be, unless its asker may not know. */
function aboutOf(action: Action, isHidden: boolean): readonly string[] {
  const shown = action.preview === undefined || isHidden ? undefined : shownIn(action.preview);
  // Arguments went into the journal as JSON (`base/stored.ts`).
  const found = shown?.targets.map(({ args }) => args as never) ?? [];
  // What was refused was not read any further than to the command.
  return namesIn(action.args, ...found, ...(action.state === 'refused' ? action.line.split(/\s+/) : []));
}
