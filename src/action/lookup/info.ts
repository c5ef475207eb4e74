import type { History } from '../../handlers/audit/history.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { plainText, type Reply, say } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { rightsIn } from '../authority/rights.ts';
import type { Invocation } from '../base/chat.ts';
import { targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { answerCard } from '../showing/outbox-dispatcher.ts';
import { sourceOf } from '../showing/pages.ts';
import type { Lookups } from './lookup.ts';

/** A command that is answered from the bot's own knowledge. */
export type AnyInfo = Extract<AnyCommand, { kind: 'info' }>;

/** What was asked of it; the arguments are those of its own declaration, hence `never`. */
export interface AskedInfo extends Pick<Asked, 'on'> {
  readonly args: never;
}

/** Answers from the bot's own knowledge. */
export interface Infos {
  /** What to say to this person in this channel. */
  readonly replyTo: (asker: Asker, command: AnyInfo, asked: AskedInfo) => Promise<Reply>;
  /** Says it after others have agreed, in the place of the card that asked them: there, or to the asker alone. */
  readonly tell: (asker: Invocation, running: Action, command: AnyInfo, asked: AskedInfo) => Promise<void>;
}

type Asker = Pick<Invocation, 'channel' | 'person'>;

interface InfoParts extends Parts {
  readonly commands: readonly AnyCommand[];
  readonly match: (line: string) => Match;
  readonly lookups: Lookups;
  readonly historyOf: (channel: string) => History;
}

export function createInfos(parts: InfoParts): Infos {
  const { commands, match, authority, journal, outbox, whisper, lookups, now } = parts;

  const replyTo: Infos['replyTo'] = async ({ person, channel }, command, { args, on }) => {
    const guide = await authority.guide(commands, person, channel);
    const allowed = new Set(guide.commands.flatMap((one) => (one.allowed ? [one.command] : [])));
    const rights = rightsIn(channel, match, parts, (one) => allowed.has(one));
    const history = parts.historyOf(channel);
    return command.answer({ args, on, guide, rights, history, now: now(), person, channel });
  };

  return {
    replyTo,
    tell: async (asker, running, command, asked) => {
      const reply = await replyTo(asker, command, asked);
      const source = sourceOf(running, targetsIn(running));
      if (command.posted) return lookups.post(asker, running, reply, source);
      const headline = say`It was told to whoever asked, alone.`;
      const outcome = { code: 'answered', says: plainText(reply.headline) };
      const messages = [answerCard(running, 'done', headline)];
      await journal.move(running, 'done', { outcome, messages });
      await whisper(asker, reply, running.id, source);
      await outbox.deliver(messages);
    },
  };
}
