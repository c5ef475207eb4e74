import pg from 'pg';
import type { PostgresServer } from './postgres.ts';

/**
 * A server that somebody else runs and may use for other things. `url` names nothing but the server, and a person who may
 * do everything there; what is left in the end of databases whose names begin with `prefix` is dropped.
 * @throws Error when nobody answers there
 */
export async function borrowPostgres(
  url: string,
  prefix: string,
): Promise<Pick<PostgresServer, 'urlOf' | 'remove'>> {
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  const as = async (does: (client: pg.Client) => Promise<void>) => {
    const client = new pg.Client(urlOf('postgres'));
    await client.connect();
    await does(client).finally(() => client.end());
  };
  await as(async (client) => {
    const { rows } = await client.query('show server_version');
    process.stdout.write(`Tests use PostgreSQL ${rows[0]?.server_version}, as TEST_POSTGRES_URL says.\n`);
  });
  return {
    urlOf,
    remove: () =>
      as(async (client) => {
        const left = await client.query<{ name: string }>(
          'select quote_ident(datname) as name from pg_database where starts_with(datname, $1)',
          [prefix],
        );
        for (const { name } of left.rows) await client.query(`drop database ${name} with (force)`);
      }),
  };
}
