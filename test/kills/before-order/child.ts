import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { start } from '../../../src/start.ts';
import type { Answer, Question, Settings } from './stopped.ts';

/**
 * The bot as `npm start` runs it, with two differences. Its parent moves its clock, and it stops itself right before an order: the HTTP
 * client has taken the request, and no byte of it has left.
 */
const { before, number, signal, stopped, away }: Settings = JSON.parse(process.env.STOP ?? '');
const order = new RegExp(before);
let ahead = 0;
let unseen = 0;
let seen = 0;
const looks = new Set<() => void>();
const now = () => Date.now() + ahead;

// Told for every request, of whatever connection, before undici opens one for it.
subscribe('undici:request:create', (told) => {
  const { request } = told as { readonly request: { readonly method: string; readonly path: string } };
  if (!order.test(`${request.method} ${request.path}`)) return;
  seen += 1;
  if (seen !== number) return;
  writeFileSync(stopped, '');
  process.kill(process.pid, signal);
  // Only a process that was frozen comes here, and it has slept all that time.
  ahead += away;
  unseen += away;
});

const bot = await start(process.env, {
  now,
  shared: { databaseTime: now, elapsed: () => performance.now() + unseen },
  sleep: async (milliseconds) => {
    ahead += milliseconds;
  },
  every: (_, look) => {
    looks.add(look);
    return () => looks.delete(look);
  },
});

process.on('message', async ({ id, pass }: Question) => {
  if (pass !== undefined) {
    ahead += pass;
    for (const look of looks) look();
  }
  await bot.idle();
  process.send?.({ id } satisfies Answer);
});
