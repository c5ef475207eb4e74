import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface OwnDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** A database of its own on the server that `DATABASE_URL` names, if any. */
export async function openDatabase(): Promise<OwnDatabase | undefined> {
  const server = process.env.DATABASE_URL;
  if (!server) return undefined;
  const name = `kills_${randomUUID().replaceAll('-', '')}`;
  const own = new URL(server);
  own.pathname = name;
  await inServer(server, `create database ${name}`);
  return { url: own.href, drop: () => inServer(server, `drop database ${name} with (force)`) };
}

async function inServer(server: string, order: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(order);
  } finally {
    await client.end();
  }
}
