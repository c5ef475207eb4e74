import type { Route } from '../../route.ts';
import { change, read, recordOf } from './order.ts';

/** Recorded videos: appliance-api.md §4.6. */
export const videos: readonly Route[] = [
  read('/rdpproxy/videos', ({ state }) => ({ Videos: [...state.rdp.videos.values()] })),

  change('DELETE', '/rdpproxy/videos/{id}', ({ state, slots }) => {
    const { id, file } = recordOf(state.rdp.videos, slots.get('id'), 'video');
    state.rdp.videos.delete(id);
    return { what: `video ${id} (${file}) deleted` };
  }),
];
