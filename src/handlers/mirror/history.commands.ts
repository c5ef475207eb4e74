import {
  type DailySyncs,
  extentOf,
  type RepositorySyncs,
  type SyncEvents,
  withExtent,
} from '../../api/index.ts';
import { count, listed } from '../argument.ts';
import { lookup } from '../declare.ts';
import { answeredFrom, countText, listedIn, listing, withLack } from '../listing.ts';
import { capital, type Part, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { bytes, duration, number } from '../wording/quantities.ts';
import { dayName, everyDay, isDay } from './days.ts';
import { countOf, momentOf, sizeOf } from './mirror.ts';

/** Repositories that have been synced at least once; the mirror has no other list. */
const repository = listed('a mirror repository', 'debian-main', (appliance) =>
  listedIn(repositories, appliance, (one) => ({
    word: one.repository,
    name: one.repository,
    value: one.repository,
    ...(one.syncs === undefined ? {} : { hint: plural(one.syncs, 'sync') }),
  })),
);

const repositories = listing<RepositorySyncs['repositories'][number]>({
  things: 'repositories',
  read: async ({ mirror }) => {
    const { repositories: all, totalCount } = await mirror.eventStats();
    const extent = extentOf(all);
    // Without a sync, this mirror has no repository.
    return totalCount === 0 && extent !== undefined ? withExtent([...all], { ...extent, total: 0 }) : all;
  },
  keyOf: (one) => one.repository,
});

const syncsOf = (repository: string | undefined, limit: number) =>
  listing<SyncEvents['events'][number]>({
    things: repository === undefined ? 'syncs' : `syncs of ${repository}`,
    read: async ({ mirror }) =>
      (await mirror.listEvents({ limit, ...(repository === undefined ? {} : { repository }) })).events,
    keyOf: ({ id, date, repository: of }) => id ?? `${date?.getTime()} ${of}`,
    // The limit shortens the list, so the count can only prove an empty one.
    count: async ({ mirror }) => {
      const { totalCount, repositories: all } = await mirror.eventStats();
      return repository === undefined ? totalCount : all.find((one) => one.repository === repository)?.syncs;
    },
  });

/** @param now in milliseconds since the epoch */
const daysOf = (days: number, now: number) =>
  listing<DailySyncs['summary'][number]>({
    things: 'days',
    read: async ({ mirror }) => (await mirror.dailyEvents({ days })).summary,
    keyOf: ({ date }) => date,
    // None if the last sync of each repository is older.
    count: async ({ mirror }) => {
      const { repositories: all } = await mirror.eventStats();
      const last = all.map(({ lastSync }) => lastSync?.getTime() ?? Number.POSITIVE_INFINITY);
      return last.length > 0 && Math.max(...last) < now - (days + 1) * length ? 0 : undefined;
    },
  });

const length = 24 * 3_600_000;

/** Default amounts; the mirror's own are not documented (§8.4). */
const usual = { events: 50, days: 7 };

export const events = lookup({
  phrase: 'mirror events [--repository] [--limit]',
  says: `
    last syncs / which syncs failed / failed syncs / sync history / sync errors /
    syncs of repository <repository> / mirror log / failed files / last mirror syncs /
    which mirror syncs failed / mirror sync log / failed files of the mirror /
    sync history of repository <repository> / which syncs went wrong / what failed in the mirror /
    errors of the mirror / mirror errors / why did the sync fail / list the last <limit> syncs /
    show the sync log / history of the mirror / mirror sync history / events of the mirror /
    did syncs of <repository> fail
  `,
  args: { repository, limit: count('a number of syncs', '50', 1, 1_000) },
  summary: `List recent syncs of all repositories or one (${usual.events} by default)`,
  example: 'mirror events --repository debian-main --limit 20',
  answer: async ({ appliance, args, now }) => {
    const limit = args.limit ?? usual.events;
    const look = await syncsOf(args.repository, limit).look(appliance);
    const { all: syncs } = look;
    const of = args.repository === undefined ? [] : say` of ${args.repository}`;
    if (syncs.length === 0)
      return withLack(appliance.name, look, { headline: say`The mirror has no recorded sync${of}` });
    const failed = syncs.filter(({ failedFiles = 0 }) => failedFiles > 0).length;
    // The list is as long as requested, so nothing is missing.
    const isFull = syncs.length >= limit;
    const lack = isFull ? undefined : look.lack;
    const more = isFull ? '. Limit reached: there may be more' : '';
    return withLack(
      appliance.name,
      { all: syncs, lack },
      {
        headline: say`${countText({ ...look, lack }, 'sync')}${of}, ${failed === 0 ? `none ${lack === undefined ? '' : 'of those listed '}with failed files` : `${failed} with failed files`}${more}`,
        details: tableOf(syncs, {
          Ended: (one) => momentOf(one.date, now),
          Repository: (one) => one.repository ?? 'not reported',
          Files: (one) => countOf(one.files),
          Size: (one) => sizeOf(one.bytes),
          Took: (one) => spanOf(one.durationMs),
          Failed: (one) => failures(one.failedFiles),
        }),
      },
    );
  },
});

export const stats = lookup({
  phrase: 'mirror stats',
  says: `
    syncs by repository / which repository is the largest / repository statistics / totals per repository /
    size of the repositories / list repositories / mirror syncs by repository /
    which repositories are mirrored / mirror totals for each repository / which repositories are there /
    how big is each repository / what do we mirror / mirror repositories / list the mirror repositories /
    size of the mirror / which repos do we have / how many packages are mirrored /
    where does the mirror pull from / where does the mirror get its packages / source of the mirror /
    upstream of the mirror
  `,
  also: ['mirror statistics', 'mirror repositories'],
  summary: 'Show sync totals by repository',
  answer: answeredFrom(
    () => repositories,
    (look, { now }) => {
      const { all, lack } = look;
      if (all.length === 0) return { headline: say`The mirror has no recorded sync` };
      const sum = total(all.map(({ syncs }) => syncs));
      const least = lack === undefined ? '' : 'at least ';
      return {
        headline: say`${strong(capital(`${least}${number(sum)} ${sum === 1 ? 'sync' : 'syncs'}`))} of ${countText(look, 'repository', 'repositories')}, ${least}${bytes(total(all.map((one) => one.bytes)))} in total`,
        details: tableOf(all, {
          Repository: (one) => one.repository,
          Syncs: (one) => countOf(one.syncs),
          Files: (one) => countOf(one.files),
          Size: (one) => sizeOf(one.bytes),
          'Average duration': (one) => spanOf(one.averageDurationMs),
          Failed: (one) => failures(one.failedFiles),
          'Last sync': (one) => momentOf(one.lastSync, now),
        }),
      };
    },
  ),
});

export const daily = lookup({
  phrase: 'mirror daily [days]',
  says: `
    how much did we sync this week / syncs per day / daily sync / sync volume last days /
    how much was downloaded per day / syncs of the last <days> days / mirror syncs per day /
    mirror traffic of the last <days> days / how much does the mirror fetch daily / mirror this week /
    mirror syncs of the last <days> days / how much did the mirror fetch in <days> days /
    sync statistics of the last <days> days / how much was synced yesterday / mirror per day /
    daily mirror statistics / downloads per day of the mirror / last week of the mirror /
    mirror syncs of the last <days> / mirror traffic of the last days / how much was mirrored each day /
    mirror history of <days>
  `,
  also: ['mirror daily [days] days'],
  args: { days: count('a number of days', '30', 1, 366) },
  summary: `Show daily sync totals (${usual.days} days by default)`,
  example: 'mirror daily 30',
  answer: async ({ appliance, args, now }) => {
    const asked = args.days ?? usual.days;
    const look = await daysOf(asked, now).look(appliance);
    const { all: summary, lack } = look;
    if (summary.length === 0)
      return withLack(appliance.name, look, {
        headline: say`The mirror did not sync in the last ${plural(asked, 'day')}`,
      });
    // An entry without a valid date gets a row, but no place among the days.
    const isAmong = ({ date }: { readonly date: string }) =>
      isDay(date) && Math.abs(Date.parse(date) - now) <= (asked + 2) * length;
    const odd = summary.filter((one) => !isAmong(one));
    const known = summary.filter(isAmong).map(({ date, files = 0, failedFiles = 0 }) => ({
      date,
      values: [files, failedFiles],
    }));
    // The mirror counts days in UTC.
    const days = everyDay(known, new Date(now).toISOString().slice(0, 10), 2);
    const [files, failed] = [
      total(summary.map((one) => one.files)),
      total(summary.map((one) => one.failedFiles)),
    ];
    const size = total(summary.map((one) => one.bytes));
    const syncsOn = new Map(summary.map((one) => [one.date, one]));
    const chart: Part = {
      kind: 'chart',
      style: 'bar',
      title: 'Files synced, by day',
      unit: 'files',
      labels: days.map(({ date }) => dayName(date)),
      series: [
        { name: 'Fetched', values: days.map(({ values: [one = 0] }) => one) },
        ...(failed === 0 ? [] : [{ name: 'Failed', values: days.map(({ values: [, one = 0] }) => one) }]),
      ],
    };
    const least = lack === undefined ? '' : 'at least ';
    const [none, zero] = lack === undefined ? ['none', '0'] : ['not listed', '–'];
    const nothingFailed = lack === undefined ? 'nothing failed' : 'nothing failed on the days listed';
    return withLack(appliance.name, look, {
      headline: say`In the last ${plural(asked, 'day')} the mirror fetched ${strong(`${least}${number(files)} ${files === 1 ? 'file' : 'files'}`)}, ${least}${bytes(size)}${failed === 0 ? `; ${nothingFailed}` : `; ${least}${number(failed)} failed`}`,
      details: [
        ...(days.length === 0 ? [] : [chart]),
        { kind: 'text', text: say`Days are in UTC.` },
        ...tableOf(
          [
            ...days.toReversed().map(({ date }) => ({ date, one: syncsOn.get(date) })),
            ...odd.map((one) => ({ date: one.date, one })),
          ],
          {
            Day: ({ date }) => (isDay(date) ? dayOf(date) : date || 'not reported'),
            Syncs: ({ one }) => (one === undefined ? none : countOf(one.syncs)),
            Files: ({ one }) => (one === undefined ? zero : countOf(one.files)),
            Size: ({ one }) => (one === undefined ? zero : sizeOf(one.bytes)),
            Failed: ({ one }) => (one === undefined ? zero : failures(one.failedFiles)),
          },
        ),
      ],
    });
  },
});

const dayOf = (date: string): string => `${dayName(date)} ${date.slice(0, 4)}`;

const spanOf = (milliseconds: number | undefined): Text =>
  say`${milliseconds === undefined ? 'not reported' : duration(milliseconds)}`;

const failures = (failed: number | undefined): Text =>
  // Events and sums leave out zeros (field notes).
  say`${failed === undefined || failed === 0 ? '0' : `⚠ ${number(failed)}`}`;

const total = (amounts: readonly (number | undefined)[]): number =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
