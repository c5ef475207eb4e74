import { isDeepStrictEqual } from 'node:util';
import type { WatchRow } from '../../journal/journal.ts';
import { gotOut } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { keptWatch } from '../target/watches.ts';
import type { DoneBefore } from './done-before.ts';
import { problemOf } from './several.ts';
import type { ToldLine, ToldWatch } from './words.ts';

/** Says in the place of a message about what was wrong how all that stands there is by now. */
export type Redraw = (channel: string, ts: string) => Promise<void>;

interface RedrawParts extends Pick<Parts, 'journal' | 'chat' | 'present'> {
  readonly toldOf: (row: WatchRow) => ToldWatch | undefined;
  readonly doneBefore: Pick<DoneBefore, 'standing'>;
}

export function createRedraw({ journal, chat, present, toldOf, doneBefore }: RedrawParts): Redraw {
  return async (channel, ts) => {
    // Another replica may change the same message with what it has seen: whoever comes last looks once more.
    for (let lines = await linesOf(channel, ts); lines.length > 0; ) {
      const drawn = lines;
      await gotOut(chat.edit({ channel, ts }, await present(problemOf(drawn), { channel })));
      lines = await linesOf(channel, ts);
      if (isDeepStrictEqual(lines, drawn)) return;
    }
  };

  async function linesOf(channel: string, ts: string): Promise<readonly ToldLine[]> {
    const lines: ToldLine[] = [];
    for (const row of await journal.watches(channel)) {
      const { post } = row.kind === 'watch' ? keptWatch(row) : {};
      const told = toldOf(row);
      if (post?.ts !== ts || told === undefined) continue;
      const { said, over } = post;
      const standing = post.done && (await doneBefore.standing(post.done));
      lines.push({ told, said, ...(over !== undefined && { over }), ...(standing ?? { undo: [] }) });
    }
    return lines;
  }
}
