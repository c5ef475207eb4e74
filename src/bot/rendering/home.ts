import type { HomeView, KnownBlock } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Said } from '../../action/base/chat.ts';
import { fullPalette, type NewerBlock, type Palette, refusedBlock, without } from './palette.ts';
import { render } from './render.ts';

/**
 * Shows people their own page in the app's Home tab. A newer block that Slack does not take there is set in fixed width,
 * and that is remembered until the bot starts again.
 */
export function createHome(
  client: WebClient,
  workspace?: string,
): (person: string, page: Said) => Promise<void> {
  let palette: Palette = { ...fullPalette, workspace };

  return async (person, page) => {
    // Every try has a kind of block less, so this ends.
    for (;;) {
      const used = palette;
      const { blocks } = render(page, used);
      const view: HomeView = { type: 'home', blocks };
      try {
        await client.views.publish({ user_id: person, view });
        return;
      } catch (error) {
        const refused = refusedIn(error, blocks);
        if (refused === undefined || !used.blocks.has(refused)) throw error;
        palette = without(palette, refused);
      }
    }
  };
}

/** Of a view Slack says `invalid_arguments` where of a message it says `invalid_blocks`. */
function refusedIn(error: unknown, blocks: readonly KnownBlock[]): NewerBlock | undefined {
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const { error: code, response_metadata: more } = error.data;
  return code === 'invalid_arguments' || code === 'invalid_blocks'
    ? refusedBlock(blocks, more?.messages)
    : undefined;
}
