import { count, listed } from '../argument.ts';
import { lookup } from '../declare.ts';
import { type Part, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { bytes, duration, number } from '../wording/quantities.ts';
import { dayName, everyDay } from './days.ts';
import { countOf, momentOf, sizeOf } from './mirror.ts';

/** Repositories that have ever been synced: the mirror has no other list of them. */
const repository = listed('a mirror repository', 'debian-main', async (appliance) =>
  (await appliance.mirror.eventStats()).repositories.map((one) => ({
    word: one.repository,
    name: one.repository,
    value: one.repository,
    ...(one.syncs === undefined ? {} : { hint: plural(one.syncs, 'sync') }),
  })),
);

/** How much comes when nobody says how much; what the mirror's own choice would be is not documented (§8.4). */
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
    const { events: syncs } = await appliance.mirror.listEvents({
      limit,
      ...(args.repository === undefined ? {} : { repository: args.repository }),
    });
    const of = args.repository === undefined ? [] : say` of ${args.repository}`;
    if (syncs.length === 0) return { headline: say`The mirror has no recorded sync${of}` };
    const failed = syncs.filter(({ failedFiles = 0 }) => failedFiles > 0).length;
    const more = syncs.length < limit ? '' : '. Limit reached: there may be more';
    return {
      headline: say`${strong(plural(syncs.length, 'sync', 'syncs'))}${of}, ${failed === 0 ? 'none with failed files' : `${failed} with failed files`}${more}`,
      details: tableOf(syncs, {
        Ended: (one) => momentOf(one.date, now),
        Repository: (one) => one.repository ?? 'not reported',
        Files: (one) => countOf(one.files),
        Size: (one) => sizeOf(one.bytes),
        Took: (one) => spanOf(one.durationMs),
        Failed: (one) => failures(one.failedFiles),
      }),
    };
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
  answer: async ({ appliance, now }) => {
    const { totalCount, repositories } = await appliance.mirror.eventStats();
    if (repositories.length === 0) return { headline: say`The mirror has no recorded sync` };
    const sum = totalCount ?? total(repositories.map(({ syncs }) => syncs));
    return {
      headline: say`${strong(`${number(sum)} ${sum === 1 ? 'sync' : 'syncs'}`)} of ${plural(repositories.length, 'repository', 'repositories')}, ${bytes(total(repositories.map((one) => one.bytes)))} in total`,
      details: tableOf(repositories, {
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
    const { summary } = await appliance.mirror.dailyEvents({ days: asked });
    if (summary.length === 0)
      return { headline: say`The mirror did not sync in the last ${plural(asked, 'day')}` };
    const known = summary.map(({ date, files = 0, failedFiles = 0 }) => ({
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
    return {
      headline: say`In the last ${plural(asked, 'day')} the mirror fetched ${strong(`${number(files)} ${files === 1 ? 'file' : 'files'}`)}, ${bytes(size)}${failed === 0 ? '; nothing failed' : `; ${number(failed)} failed`}`,
      details: [
        chart,
        { kind: 'text', text: say`Days are in UTC.` },
        ...tableOf(
          days.toReversed().map(({ date }) => ({ date, one: syncsOn.get(date) })),
          {
            Day: ({ date }) => dayOf(date),
            Syncs: ({ one }) => (one === undefined ? 'none' : countOf(one.syncs)),
            Files: ({ one }) => (one === undefined ? '0' : countOf(one.files)),
            Size: ({ one }) => (one === undefined ? '0' : sizeOf(one.bytes)),
            Failed: ({ one }) => (one === undefined ? '0' : failures(one.failedFiles)),
          },
        ),
      ],
    };
  },
});

const dayOf = (date: string): string => `${dayName(date)} ${date.slice(0, 4)}`;

const spanOf = (milliseconds: number | undefined): Text =>
  say`${milliseconds === undefined ? 'not reported' : duration(milliseconds)}`;

const failures = (failed: number | undefined): Text =>
  // What is zero is left out of events and sums (field notes).
  say`${failed === undefined || failed === 0 ? '0' : `⚠ ${number(failed)}`}`;

const total = (amounts: readonly (number | undefined)[]): number =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
