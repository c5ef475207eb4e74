import { itself, onBehalfOf } from '../../caller.ts';
import { homeNotShown } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import type { HomeShown, Said } from '../base/chat.ts';
import type { After } from '../base/timeout.ts';
import type { HomePage } from './home.ts';

/** Who looks at their own page, and keeping it true. The chat tells when it is opened, and not when it is left. */
export interface Viewers {
  /** Somebody has opened theirs: shows it, as it is now. */
  readonly opened: (person: string) => Promise<void>;
  /** Something has changed, perhaps: in a moment, those that look otherwise by now are shown anew. */
  readonly changed: () => void;
  /** The same by the clock: for what others have changed, and appliances. */
  readonly tick: () => Promise<void>;
}

export interface ViewersParts {
  readonly page: (person: string) => Promise<HomePage>;
  readonly show: (person: string, page: Said) => Promise<HomeShown>;
  readonly after: After;
  readonly now: () => number;
  readonly log: Log;
}

/** In milliseconds: how long a page is kept true after it was opened, how soon, and how often by the clock. */
const looking = 30 * 60_000;
const soon = 1_000;
const regularly = 20_000;
/** All people together are shown about a hundred pages a minute (slack-facts.md §4). */
const most = 50;

interface Viewer {
  openedAt: number;
  /** What they see. */
  key: string | undefined;
  /** Pages of one person come one after the other. */
  last: Promise<void>;
}

export function createViewers({ page, show, after, now, log }: ViewersParts): Viewers {
  const viewers = new Map<string, Viewer>();
  let isPlanned = false;
  let refreshedAt = now();

  return {
    opened: async (person) => {
      const viewer = viewers.get(person) ?? { openedAt: 0, key: undefined, last: Promise.resolve() };
      viewers.delete(person);
      // Those who opened it last are the ones who still look.
      for (const oldest of viewers.keys()) if (viewers.size >= most) viewers.delete(oldest);
      viewers.set(person, { ...viewer, openedAt: now(), key: undefined });
      await shown(person);
    },
    changed: () => {
      if (isPlanned || viewers.size === 0) return;
      isPlanned = true;
      after(soon, () => {
        isPlanned = false;
        void onBehalfOf(itself, refresh);
      });
    },
    tick: async () => {
      if (viewers.size > 0 && now() - refreshedAt >= regularly) await refresh();
    },
  };

  async function refresh(): Promise<void> {
    refreshedAt = now();
    for (const [person, { openedAt }] of viewers) {
      if (now() - openedAt > looking) viewers.delete(person);
      else
        await shown(person).catch((error: unknown) => {
          log.tell(homeNotShown, { err: error, person });
        });
    }
  }

  /** Where it looks as it did, nothing is written and nothing sent. */
  async function shown(person: string): Promise<void> {
    const viewer = viewers.get(person);
    if (viewer === undefined) return;
    const task = viewer.last.then(async () => {
      for (;;) {
        const { key, said } = await page(person);
        if (key === viewer.key) return;
        const shown = await show(person, await said());
        if (shown === 'shown') viewer.key = key;
        // It is tried again by the clock.
        if (shown === 'refused') return;
      }
    });
    viewer.last = task.catch(() => undefined);
    await task;
  }
}
