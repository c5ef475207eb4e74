import type { HomeView, KnownBlock } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { HomeShown, Said } from '../../action/base/chat.ts';
import { homeIsOff, homeRefused } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isOfSlack, refusedFor } from '../codes.ts';
import {
  fullPalette,
  type NewerBlock,
  type Palette,
  refusedBlock,
  type TicketAt,
  without,
} from './palette.ts';
import { render } from './render.ts';

const most = 1_000;

/**
 * Publishes people's Home tabs. `outdated`: another replica has published since, and this page may be older.
 * `refused`: Slack refused it; the log says so once for each reason. A refused newer block is replaced by fixed
 * width until the bot restarts.
 */
export function createHome(
  client: WebClient,
  log: Log,
  workspace?: string,
  ticketAt?: TicketAt,
): (person: string, page: Said) => Promise<HomeShown> {
  let palette: Palette = { ...fullPalette, workspace, ticketAt };
  /** Slack's hash of the last page of each person (slack-facts.md §2). */
  const hashes = new Map<string, string>();
  /** Logged reasons since the last success. */
  const told = new Set<string>();

  return async (person, page) => {
    // Every attempt drops a kind of block, so this ends.
    for (;;) {
      const used = palette;
      const { blocks } = render(page, used);
      const view: HomeView = { type: 'home', blocks };
      try {
        const hash = hashes.get(person);
        const shown = await client.views.publish({ user_id: person, view, ...(hash && { hash }) });
        remember(person, shown.view?.hash);
        told.clear();
        return 'shown';
      } catch (error) {
        if (codeOf(error) === 'hash_conflict') {
          hashes.delete(person);
          return 'outdated';
        }
        const refused = refusedIn(error, blocks);
        if (refused === undefined || !used.blocks.has(refused)) return notShown(person, error);
        palette = without(palette, refused);
      }
    }
  };

  /** @throws errors that are not Slack's */
  function notShown(person: string, error: unknown): HomeShown {
    const code = codeOf(error);
    if (!isOfSlack(error) || refusedFor(error) === 'content') throw error;
    if (!told.has(code)) log.tell(code === 'not_enabled' ? homeIsOff : homeRefused, { person, code });
    told.add(code);
    return 'refused';
  }

  function remember(person: string, hash: string | undefined): void {
    hashes.delete(person);
    if (hash !== undefined) hashes.set(person, hash);
    for (const oldest of hashes.keys()) if (hashes.size > most) hashes.delete(oldest);
  }
}

/** For a view Slack says `invalid_arguments`, for a message `invalid_blocks`. */
function refusedIn(error: unknown, blocks: readonly KnownBlock[]): NewerBlock | undefined {
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const { error: code, response_metadata: more } = error.data;
  return code === 'invalid_arguments' || code === 'invalid_blocks'
    ? refusedBlock(blocks, more?.messages)
    : undefined;
}
