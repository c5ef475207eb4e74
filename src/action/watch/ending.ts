import {
  channel as channelSpan,
  code,
  person,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { WatchRow } from '../../journal/journal.ts';
import { ChatRefused } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';

export interface EndWatch {
  /** Looks at it no more, and says why: to the channel, or to its owner where the channel reads nothing of it. */
  readonly end: (row: WatchRow, name: string, why: Text, isSilent: boolean) => Promise<void>;
  /** The same for a reason that counts only where the bot is in the channel; `no_place` where it is not. */
  readonly endIfThere: (row: WatchRow, name: string, why: Text) => Promise<'ended' | 'later' | 'no_place'>;
  /** Tells an owner in person, once until `resumed`, that nothing can be told in the channel. */
  readonly tellPaused: (row: Pick<WatchRow, 'person' | 'channel'>, why: Text) => Promise<void>;
  readonly resumed: (channel: string) => void;
}

export function createEndWatch({
  journal,
  chat,
  present,
}: Pick<Parts, 'journal' | 'chat' | 'present'>): EndWatch {
  /** Who knows of which channel. */
  const told = new Map<string, Set<string>>();

  const notify = async ({ person: owner, channel }: Pick<WatchRow, 'person' | 'channel'>, headline: Text) => {
    await chat.notify(owner, { headline: say`In ${channelSpan(channel)}: ${headline}` });
  };
  const post = async (row: WatchRow, name: string, why: Text) => {
    const reply = endedOf(row, name, why);
    await chat.post(row.channel, await present(reply, { channel: row.channel }));
  };

  return {
    end: async (row, name, why, isSilent) => {
      if (!(await journal.stopWatch(row.id))) return;
      const { headline } = endedOf(row, name, why);
      if (isSilent) return notify(row, headline);
      try {
        await post(row, name, why);
      } catch (error) {
        if (!(error instanceof ChatRefused)) throw error;
        await notify(row, headline);
      }
    },
    endIfThere: async (row, name, why) => {
      try {
        await post(row, name, why);
      } catch (error) {
        if (!(error instanceof ChatRefused)) throw error;
        if (error.about === 'place') return 'no_place';
        if (error.isPassing && !error.mayStand) return 'later';
      }
      await journal.stopWatch(row.id);
      return 'ended';
    },
    tellPaused: async (row, why) => {
      const { person: owner, channel } = row;
      const owners = told.get(channel) ?? new Set();
      told.set(channel, owners);
      if (owners.has(owner)) return;
      owners.add(owner);
      await notify(
        row,
        say`Your watches and schedules there are paused: ${why}. They continue when Appliance Bot can post there again.`,
      );
    },
    resumed: (channel) => void told.delete(channel),
  };
}

const endedOf = (row: WatchRow, name: string, why: Text): Reply =>
  row.kind === 'schedule' ? scheduleEnded(row, why) : watchEnded(row, name, why);

function watchEnded(
  { appliances: [appliance = ''], person: owner }: WatchRow,
  name: string,
  why: Text,
): Reply {
  return {
    headline: say`Stopped watching ${name} of ${strong(appliance)}: ${why}`,
    details: [
      {
        kind: 'text',
        text: say`It ran with the rights of ${person(owner)}. Anybody with the rights for it can start it again.`,
      },
      { kind: 'offers', offers: [{ label: `Watch ${name}`, line: `watch ${name} --on ${appliance}` }] },
    ],
  };
}

const scheduleEnded = (
  { subject: line, person: owner }: Pick<WatchRow, 'subject' | 'person'>,
  why: Text,
): Reply => ({
  headline: say`${code(line)} is not scheduled any more: ${why}`,
  details: [
    {
      kind: 'text',
      text: say`It ran with the rights of ${person(owner)}. Anybody with the rights for it can schedule it again.`,
    },
  ],
});
