import type { Route } from '../route.ts';

/** appliance-api.md §4.6 */
export const rdpRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/rdpproxy/sessions',
    answer: ({ state }) => ({ Status: true, Error: '', Sessions: [...state.sessions.values()] }),
  },
  {
    method: 'POST',
    path: '/rdpproxy/sessions/{id}/disconnect',
    answer({ state, slots }) {
      const id = slots.get('id');
      const found = /^\d+$/.test(id) && state.sessions.delete(Number(id));
      return found ? { Status: true, Error: '' } : { Status: false, Error: 'session not found' };
    },
  },
];
