import { DryRunEnd, type DryRunRequest } from '../../api/index.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { code, type Part, plural, say, strong, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { answerCard, tellBelow } from '../showing/messages.ts';
import { faultOf, previewOn, reasonOf } from '../target/target.ts';
import { explain } from '../wording/faults.ts';
import type { ResolutionOn } from './lookup.ts';

/** Shows what a change would send, and sends none of it. */
export interface DryRuns {
  readonly show: (
    invocation: Invocation,
    action: Action,
    command: AnyChange,
    resolutions: readonly ResolutionOn[],
  ) => Promise<void>;
}

/** What would happen on one appliance. */
interface DryRun {
  readonly appliance: string;
  readonly requests: readonly DryRunRequest[];
  /** What stands in the way, or what comes after them. */
  readonly note?: Text;
}

export function createDryRuns({ journal, chat, outbox, present, contexts, secretStore }: Parts): DryRuns {
  return {
    show: async (invocation, action, command, resolutions) => {
      const dryRuns = await Promise.all(resolutions.map((one) => dryRunOn(action, command, one)));
      await secretStore.forget(action.id);
      const count = dryRuns.reduce((sum, { requests }) => sum + requests.length, 0);
      const headline = say`Dry run: ${strong(plural(count, 'request'))} would be sent. No changes were made.`;
      const said = await present({ headline: [], details: dryRuns.flatMap(tell) }, invocation);
      const outcome = { code: 'dry_run', ...inWords(headline) };
      const messages = [answerCard(action, 'done', headline), ...tellBelow(action, said)];
      const done = await journal.move(action, 'done', { outcome, messages });
      const delivered = await outbox.deliver(messages, done);
      if (delivered.kind !== 'refused') return;
      const reason = explain({ code: 'cannot_post', reason: delivered.code });
      await chat.ephemeral(invocation, {
        ...said,
        headline,
        details: [...(said.details ?? []), { kind: 'text', text: reason.headline }],
      });
    },
  };

  async function dryRunOn(
    action: Action,
    command: AnyChange,
    { appliance, result }: ResolutionOn,
  ): Promise<DryRun> {
    const about = { appliance: appliance.name };
    if (!result.ok) return { ...about, requests: [], note: reasonOf(result.fault) };
    const { resolved } = result;
    const seen = await previewOn(command, resolved, contexts.asking(action, resolved));
    if (seen.kind === 'fault') return { ...about, requests: [], note: reasonOf(seen.fault) };
    const requests: DryRunRequest[] = [];
    const dryRunning = appliance.dryRun((request) => void requests.push(request));
    try {
      const context = contexts.acting(action, { ...resolved, appliance: dryRunning });
      // The bot's own records are not touched either.
      const own = { extend: async () => true, confirmOver: async () => true };
      await command.run({ ...context, ...own }, seen.preview.fingerprint);
      return { ...about, requests };
    } catch (error) {
      if (error instanceof DryRunEnd) {
        return {
          ...about,
          requests,
          note: say`Later requests depend on the appliance’s answers.`,
        };
      }
      return { ...about, requests, note: reasonOf(faultOf(error, appliance.name, 'preview')) };
    }
  }
}

function tell({ appliance, requests, note }: DryRun): readonly Part[] {
  return [
    {
      kind: 'text',
      text:
        requests.length === 0
          ? say`${strong(appliance)}: nothing would be sent.`
          : say`${strong(appliance)} would get:`,
    },
    ...(requests.length === 0 ? [] : [{ kind: 'list', items: requests.map(requestLine) } as const]),
    ...(note === undefined ? [] : [{ kind: 'text', text: note } as const]),
  ];
}

/** *`POST https://…/rdpproxy/members` with `{"username":"bob","password":"•••"}`* */
function requestLine({ method, address, body }: DryRunRequest): Text {
  const line = code(`${method} ${address}`);
  if (body === undefined || body === '') return say`${line}`;
  if (typeof body === 'string') return say`${line} with ${code(body)}`;
  const size = body.size === undefined ? [] : say`, ${body.size} bytes`;
  return say`${line} with the file ${code(body.name)}${size}`;
}
