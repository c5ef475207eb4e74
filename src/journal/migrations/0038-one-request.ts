import { type Kysely, sql } from 'kysely';

/**
 * A request for a site is an action that waits for an approval: who wants the site stands in its row. What was asked for before that
 * cannot become one, because nobody has looked at the change that it would make: whoever asked is told to ask again, and those who were to
 * decide that the old cards are over.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema.alterTable('actions').addColumn('request_json', 'text').execute();
  const { rows } = await sql<OldRequest>`select id, channel, site, card, content_json from site_requests
    where state not in ('closed', 'allowed') order by created_at`.execute(database);
  const open = rows.map((row) => ({ ...row, people: askersIn(row.content_json) }));
  // How a card of the old ones stands nobody knows any more.
  await sql`delete from outbox where kind = 'request'`.execute(database);
  for (const { id, site, people } of open) {
    const words = `Appliance Bot was updated, and your request for ${site} could not be kept. If the site is still blocked, ask again: /appliance ask ${site}`;
    for (const person of people) await tell(`request-${id}-${person}`, person, words);
  }
  for (const [channel, decided] of Map.groupBy(
    open.filter(({ card }) => card !== null),
    (one) => one.channel,
  )) {
    const sites = [...new Set(decided.map(({ site }) => site))].join(', ');
    const words = `Appliance Bot was updated. These requests for sites have to be made again, and the buttons of their cards no longer work: ${sites}`;
    await tell(`requests-of-${channel}-over`, channel, words);
  }
  await schema.dropTable('site_requests').execute();

  async function tell(key: string, to: string, words: string): Promise<void> {
    const content = JSON.stringify({ channel: to, said: { headline: [words] } });
    await sql`insert into outbox
      (key, kind, ordering_key, content_json, created_at, maybe_delivered, background, tries, next_try_at)
      values (${key}, 'post', ${`person ${to}`}, ${content}, ${Date.now()}, 0, 0, 0, 0)`.execute(database);
  }
}

interface OldRequest {
  readonly id: string;
  readonly channel: string;
  readonly site: string;
  readonly card: string | null;
  readonly content_json: string;
}

/** Those whom Slack knows. Before a block page, the page says that there is no such request. */
function askersIn(content: string): readonly string[] {
  try {
    const { from, joined = [] } = JSON.parse(content);
    const all: readonly unknown[] = [from, ...joined.map((one: { from?: unknown }) => one.from)];
    return [
      ...new Set(
        all.flatMap((one) => {
          const { kind, person } = Object(one);
          return kind === 'slack' && typeof person === 'string' ? [person] : [];
        }),
      ),
    ];
  } catch {
    // Nobody can read who that was.
    return [];
  }
}
