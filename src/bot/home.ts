import type { HomeView } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Reply } from '../handlers/reply.ts';
import { render, type TableStyle } from './render.ts';

/** Shows a person their own page in the app's Home tab, with its tables in fixed width where Slack takes no others. */
export async function publishHome(client: WebClient, person: string, page: Reply): Promise<void> {
  const publish = async (tables: TableStyle) => {
    const view: HomeView = { type: 'home', blocks: render(page, tables).blocks };
    await client.views.publish({ user_id: person, view });
  };
  try {
    await publish('block');
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError) || error.data.error !== 'invalid_blocks') throw error;
    await publish('fixed_width');
  }
}
