import type { HomeView, KnownBlock } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Said } from '../../action/base/chat.ts';
import { codeOf } from '../codes.ts';
import {
  fullPalette,
  type NewerBlock,
  type Palette,
  refusedBlock,
  type TicketAt,
  without,
} from './palette.ts';
import { render } from './render.ts';

/** So many people's pages are known as they were shown last. */
const most = 1_000;

/**
 * Shows people their own page in the app's Home tab. Resolves to false where somebody else, another replica, has shown them another
 * one since: the page may be older than that. A newer block that Slack does not take there is set in fixed width, and that is
 * remembered until the bot starts again.
 */
export function createHome(
  client: WebClient,
  workspace?: string,
  ticketAt?: TicketAt,
): (person: string, page: Said) => Promise<boolean> {
  let palette: Palette = { ...fullPalette, workspace, ticketAt };
  /** What Slack calls the page that they saw last (slack-facts.md §2). */
  const hashes = new Map<string, string>();

  return async (person, page) => {
    // Every try has a kind of block less, so this ends.
    for (;;) {
      const used = palette;
      const { blocks } = render(page, used);
      const view: HomeView = { type: 'home', blocks };
      try {
        const hash = hashes.get(person);
        const shown = await client.views.publish({ user_id: person, view, ...(hash && { hash }) });
        remember(person, shown.view?.hash);
        return true;
      } catch (error) {
        if (codeOf(error) === 'hash_conflict') {
          hashes.delete(person);
          return false;
        }
        const refused = refusedIn(error, blocks);
        if (refused === undefined || !used.blocks.has(refused)) throw error;
        palette = without(palette, refused);
      }
    }
  };

  function remember(person: string, hash: string | undefined): void {
    hashes.delete(person);
    if (hash !== undefined) hashes.set(person, hash);
    for (const oldest of hashes.keys()) if (hashes.size > most) hashes.delete(oldest);
  }
}

/** Of a view Slack says `invalid_arguments` where of a message it says `invalid_blocks`. */
function refusedIn(error: unknown, blocks: readonly KnownBlock[]): NewerBlock | undefined {
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const { error: code, response_metadata: more } = error.data;
  return code === 'invalid_arguments' || code === 'invalid_blocks'
    ? refusedBlock(blocks, more?.messages)
    : undefined;
}
