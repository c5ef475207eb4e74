import type { AnyChange } from '../command.ts';
import { capital, code, person, say } from '../reply.ts';
import { happened, notHappened, nothing, ready } from '../results.ts';
import { when } from '../wording/when.ts';
import { leavesAnUndo } from './leaves-an-undo.ts';
import { sendingNothing } from './sending-nothing.ts';
import { standsAs } from './stands-as.ts';

/** What is on already, for a time, for somebody else. */
export interface OnForOthers {
  /** When it ends so far: milliseconds since the epoch. */
  readonly ends: number;
  /** Who has made it, and with which line. */
  readonly by: string;
  readonly line: string;
}

/**
 * A command of which all is on for somebody else, who wants it for less long: nothing is sent to the appliance, and what somebody
 * wants for longer stays for longer (`action/wishes/wishes.ts`).
 */
export function joining(command: AnyChange, { ends, by, line }: OnForOthers): AnyChange {
  const isMissing = async (context: Parameters<AnyChange['preview']>[0]): Promise<boolean> => {
    const found = await command.preview(context);
    return found.kind === 'ready' && leavesAnUndo(command, context.args, found.fingerprint);
  };
  const stands = standsAs(command);
  return {
    ...sendingNothing(command),
    verb: 'Keep',
    preview: async (context) => {
      return (await isMissing(context))
        ? nothing`It is not ${stands} any more, so there is nothing to keep. Type the line again.`
        : ready({
            question: say`Keep it ${stands}: ${command.done(context.args, {})}?`,
            fields: {
              [`${capital(stands)} already`]: say`until ${when(ends, context.now)}, by ${person(by)} with ${code(line)}`,
            },
            fingerprint: { joins: line },
          });
    },
    run: async () => ({ confirmed: true }),
    verify: async (context) =>
      (await isMissing(context))
        ? notHappened`It is not ${stands} any more.`
        : happened`It is ${stands}, and nothing had to be sent.`,
  };
}
