import { code, person as personSpan, plural, type Reply, say } from '../../handlers/reply.ts';
import type { Kept } from '../../journal/journal.ts';
import { ChatRefused, type Press } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import type { About } from '../history/interactions.ts';
import { linesBehind } from '../history/lines-behind.ts';
import { tellBelow } from '../showing/messages.ts';
import { filtered, type StoredResult, titleOf } from '../showing/pages.ts';
import { csvOf, fileName, jsonLinesOf, jsonOf, type Table } from '../showing/plain-files.ts';

type ExportParts = Pick<Parts, 'journal' | 'chat' | 'outbox' | 'whisper' | 'interactionLog'>;

/** A kept message, and the filter that is on it. */
export interface Found {
  readonly token: string;
  readonly stored: StoredResult;
  readonly result: Kept;
  readonly filter: string | undefined;
}

export const aboutOf = ({ stored: { source }, result: { action } }: Found): About => ({
  line: source?.line,
  phrase: source?.phrase,
  action,
});

/** A click in a message. */
export type OnMessage = Press & { readonly card: string };

/** A click on CSV, JSON or JSON Lines below a kept answer: puts the rows, or those that the filter has left, into the thread. */
export function createExports({ journal, chat, outbox, whisper, interactionLog }: ExportParts) {
  return async (press: OnMessage, found: Found): Promise<void> => {
    const { stored, filter } = found;
    if (press.whispered) return interactionLog.decline(press, aboutOf(found), { code: 'no_thread' });
    const table = filtered(stored.table, filter);
    const ending = endings.find((one) => one === press.detail) ?? 'csv';
    const line = stored.source?.line ?? 'answer';
    const title = titleOf(stored);
    const count = table.rows.length;
    const from = title === undefined ? '' : `, ${title}`;
    const matching =
      filter === undefined ? '' : say` that ${count === 1 ? 'matches' : 'match'} ${code(filter)}`;
    const { behind } = table;
    const isWhole = behind === undefined || stored.table.rows.length >= behind.count;
    const rest = isWhole
      ? []
      : say`. There are ${behind.count.toLocaleString('en')} in all. ${behind.elsewhere}`;
    const words = say`${plural(count, 'row')} of ${code(`/appliance ${line}`)}${from}${matching}, for ${personSpan(press.person)}${rest}`;
    const name = fileName([line, title, filter].filter((word) => word !== undefined).join(' '), ending);
    const file = { name, title: name, content: await contentOf(table, ending), words };
    const thread = { channel: press.direct ?? press.channel, card: press.thread ?? press.card };
    await interactionLog.exported(press, aboutOf(found), {
      format: ending,
      rows: count,
      filter: filter ?? null,
    });
    const said = { headline: [], files: [file] };
    const { action } = found.result;
    try {
      await chat.reply(thread, said);
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      if (!error.isPassing || action === undefined) return whisper(press, notPosted);
      await outbox.send(...tellBelow({ id: action }, said));
    }
  };

  async function contentOf(table: Table, ending: (typeof endings)[number]): Promise<string> {
    switch (ending) {
      case 'csv':
        return csvOf(table);
      case 'json':
        return jsonOf(table);
      case 'jsonl':
        return jsonLinesOf(await linesBehind(journal, table.behind?.keys ?? []));
    }
  }
}

const endings = ['csv', 'json', 'jsonl'] as const;

const notPosted: Reply = { headline: say`Slack didn’t accept the file. Press the button again in a moment.` };
