import type { Bot } from '../src/main.ts';
import type { Acted, Block, Message } from './workspace/protocol.ts';
import type { Workspace } from './workspace/server.ts';

/** Nobody can press what they do not see. */
export class NoSuchButton extends Error {
  override readonly name = 'NoSuchButton';
}

/** Somebody at the keyboard: types lines, presses buttons, and waits until the bot has nothing more to say. */
export interface Person {
  /** Types a line into a channel. */
  readonly type: (channel: string, line: string) => Promise<Acted>;
  /** Presses the newest button with this label that the person can see in the channel. Rejects with NoSuchButton. */
  readonly press: (channel: string, label: string) => Promise<Acted>;
}

/** `name` and the channels are names as people say them, or IDs. @throws when there is nobody or nothing of that name */
export function personIn(workspace: Workspace, bot: Pick<Bot, 'idle'>, name: string): Person {
  const who = workspace.people.find((person) => person.name === name || person.id === name);
  if (who === undefined)
    throw new Error(
      `There is no ${name} here. Try one of ${workspace.people
        .filter((person) => !person.isBot)
        .map((person) => person.name)
        .join(', ')}.`,
    );

  return {
    type: async (channel, line) => {
      const acted = await workspace.act({
        act: 'type',
        as: who.id,
        channel: channelId(workspace, channel),
        text: line,
      });
      await bot.idle();
      return acted;
    },
    press: async (channel, label) => {
      const place = channelId(workspace, channel);
      const seen = workspace.snapshot(who.id).messages.filter((message) => message.channel === place);
      const found = seen.toReversed().flatMap((message) => buttonsOf(message, label))[0];
      if (found === undefined) {
        throw new NoSuchButton(`${who.name} sees no button "${label}" in #${channel.replace(/^#/, '')}.`);
      }
      const acted = await workspace.act({ act: 'use', as: who.id, ...found });
      await bot.idle();
      return acted;
    },
  };
}

function channelId(workspace: Workspace, name: string): string {
  const wanted = name.replace(/^#/, '');
  const found = workspace.channels.find((channel) => channel.name === wanted || channel.id === wanted);
  if (found !== undefined) return found.id;
  throw new Error(
    `There is no channel ${name} here. Try one of ${workspace.channels.map((channel) => channel.name).join(', ')}.`,
  );
}

function buttonsOf({ channel, ts, blocks = [] }: Message, label: string) {
  return blocks.flatMap((block) =>
    elementsOf(block)
      .filter(({ type, text }) => type === 'button' && text?.text === label)
      .map(({ action_id }) => ({
        container: { kind: 'message', channel, ts } as const,
        block_id: block.block_id ?? '',
        action_id: action_id ?? '',
        value: {},
      })),
  );
}

interface Element {
  readonly type?: string;
  readonly action_id?: string;
  readonly text?: { readonly text?: string };
}

// The workspace has checked every block against Slack's schema before it shows it.
const elementsOf = (block: Block): readonly Element[] =>
  block.type === 'actions' ? ((block.elements ?? []) as readonly Element[]) : [];
