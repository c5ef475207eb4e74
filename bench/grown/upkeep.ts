import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../src/journal/storage/postgres.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import { type Meanwhile, meanwhile } from './asking.ts';
import { beside, megabytesOf, type Place, startBot } from './place.ts';

/** Delays for people during the upkeep of a journal, and the time of the upkeep. */
export interface Upkeep {
  readonly calm: Meanwhile;
  readonly tasks: ReadonlyMap<string, Meanwhile>;
}

const day = 24 * 60 * 60_000;

export async function upkeep(
  place: Place,
  applianceUrl: string,
  { pruned, calmFor }: { readonly pruned: number; readonly calmFor: number },
): Promise<Upkeep> {
  const tell = (what: string) => process.stdout.write(`  ${place.store}: ${what}\n`);
  const tasks = new Map<string, Meanwhile>();
  const bot = await startBot(place, applianceUrl);
  let calm: Meanwhile;
  try {
    calm = await meanwhile(bot, () => sleep(calmFor));
    const copy = join(place.data, 'copy.sqlite');
    for (const [name, words] of [
      ...(place.store === 'SQLite' ? [['while it is backed up', ['journal', 'backup', copy]] as const] : []),
      ['while it is verified', ['audit', 'verify']],
      ['while it is exported', ['audit', 'export']],
    ] as const) {
      const one = await meanwhile(bot, () => beside(place, words));
      tasks.set(name, one);
      tell(`${words.slice(0, 2).join(' ')} took ${(one.took / 1_000).toFixed(1)} s, ${one.lost} lines lost`);
    }
    if (place.store === 'SQLite') {
      tell(
        `the journal has ${megabytesOf(join(place.data, 'journal.sqlite')).toFixed(0)} MB, its copy ${megabytesOf(copy).toFixed(0)}`,
      );
      rmSync(copy);
    }
  } finally {
    await bot.stop();
  }
  const { first, until } = await oldest(place, pruned);
  const keep = `${Math.ceil((Date.now() - until) / day)}d`;
  const pruning = await startBot(place, applianceUrl, { audit: { keep } });
  try {
    const one = await meanwhile(pruning, () => isPruned(place));
    tasks.set('while records are deleted', one);
    const now = await oldest(place, 0);
    tell(`${now.first - first} records were deleted in ${(one.took / 1_000).toFixed(1)} s`);
  } finally {
    await pruning.stop();
  }
  return { calm, tasks };
}

const storeOf = ({ data, url }: Place) =>
  url === undefined ? openSqlite(join(data, 'journal.sqlite')) : openPostgres(url);

/** The number of the oldest record, and when so many days after it are over. */
async function oldest(
  place: Place,
  days: number,
): Promise<{ readonly first: number; readonly until: number }> {
  const store = storeOf(place);
  const row = await store.quick
    .selectFrom('audit')
    .select(['seq', 'at'])
    .orderBy('seq')
    .limit(1)
    .executeTakeFirstOrThrow();
  await store.close();
  return { first: row.seq, until: row.at + days * day };
}

/** When nothing more is deleted for as long as it takes to look twice. */
async function isPruned(place: Place): Promise<void> {
  for (let before = 0; ; ) {
    await sleep(5_000);
    const { first } = await oldest(place, 0);
    if (first === before) return;
    before = first;
  }
}
