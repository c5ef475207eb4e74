import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { operations } from '../src/api/index.ts';

/** How the lists of an appliance come from an order on. */
export const listWays = ['empty', 'null', 'missing', 'cut', 'paged', 'twice'] as const;
type ListWay = (typeof listWays)[number];

/** A proxy of a simulated appliance that spoils the lists in its answers. */
export interface ListFront {
  readonly url: string;
  /** From the next order on. `loses`: a 502 is all that comes of the order. */
  readonly arm: (way: ListWay, loses: boolean) => void;
  readonly disarm: () => void;
  /** Whether a list has been spoilt since it was armed. */
  readonly hasSpoilt: () => boolean;
  readonly close: () => Promise<void>;
}

const known = [...operations.values()].map(({ method, methodShown, path, effect }) => ({
  method: methodShown ? method : undefined,
  // The fewer slots, the more it says.
  slots: path.split('{').length,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  effect,
}));

const effectOf = (method: string, path: string) =>
  known
    .filter((one) => one.pattern.test(path) && (one.method === undefined || one.method === method))
    .toSorted((one, other) => one.slots - other.slots)[0]?.effect ?? 'read';

/** @param target the address of the appliance, once that is known */
export async function openListFront(target: () => string): Promise<ListFront> {
  let armed: { readonly way: ListWay; readonly loses: boolean } | undefined;
  let isOrdered = false;
  let spoilt = false;
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const asked = new URL(url, 'http://front');
    const isOrder = effectOf(method, asked.pathname) !== 'read';
    const body = method === 'GET' ? undefined : await textOf(request);
    if (armed !== undefined && isOrder) isOrdered = true;
    if (armed?.loses && isOrder) return void response.writeHead(502).end('<h1>Bad gateway</h1>');
    const { host: _, connection: __, ...passed } = headers;
    const page = Number(asked.searchParams.get('page') ?? 1);
    asked.searchParams.delete('page');
    const answer = await fetch(`${target()}${asked.pathname}${asked.search}`, {
      method,
      headers: passed as Record<string, string>,
      ...(body !== undefined && body !== '' && { body }),
    });
    const said = await answer.text();
    const spoils = armed !== undefined && isOrdered && !isOrder && answer.ok;
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
      .end(spoils ? spoiltText(said, armed?.way ?? 'empty', asked, page) : said);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function spoiltText(said: string, way: ListWay, asked: URL, page: number): string {
    const made = JSON.stringify(spoil(parsed(said), way, asked, page));
    if (made !== undefined && made !== JSON.stringify(parsed(said))) spoilt = true;
    return made ?? said;
  }

  return {
    // A server that listens on a TCP port has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: (way, loses) => {
      armed = { way, loses };
      isOrdered = false;
      spoilt = false;
    },
    disarm: () => {
      armed = undefined;
    },
    hasSpoilt: () => spoilt,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

/** Few enough that every list of the simulated company is cut. */
const pageSize = 2;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** A list by identifiers, as shape B of the categories. */
const isTable = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key));
const isList = (value: unknown): boolean => Array.isArray(value) || isTable(value);

/** Spoils only the outer list; the entries stay as they are. */
function spoil(reply: unknown, way: ListWay, asked: URL, page: number): unknown {
  if (isList(reply)) return spoiltList(reply, way, page);
  if (!isRecord(reply)) return reply;
  const lists = Object.entries(reply).filter(([, value]) => isList(value));
  const made = Object.fromEntries(
    Object.entries(reply).flatMap(([key, value]): [string, unknown][] => {
      // A single thing comes whole, or without its lists.
      if (isRecord(value) && !isTable(value))
        return [[key, way === 'cut' || way === 'paged' ? value : spoil(value, way, asked, page)]];
      if (!isList(value)) return [[key, value]];
      return way === 'missing' ? [] : [[key, spoiltList(value, way, page)]];
    }),
  );
  const total = Math.max(0, ...lists.map(([, value]) => Object.keys(value as object).length));
  if (way === 'cut' && total > pageSize) return { ...made, Total: total, Next: pageSize };
  if (way !== 'paged' || lists.length === 0) return made;
  const next = new URLSearchParams(asked.searchParams);
  next.set('page', String(page + 1));
  const isLast = page * pageSize >= total;
  return { ...made, Total: total, Next: isLast ? null : `${asked.pathname}?${next}` };
}

function spoiltList(list: unknown, way: ListWay, page: number): unknown {
  if (isTable(list)) {
    if (way === 'null') return null;
    const kept = sliced(Object.entries(list), way, page);
    return Object.fromEntries(kept);
  }
  return way === 'null' ? null : sliced(list as unknown[], way, page);
}

function sliced<T>(all: readonly T[], way: ListWay, page: number): readonly T[] {
  switch (way) {
    case 'cut':
      return all.slice(0, pageSize);
    case 'paged':
      return all.slice((page - 1) * pageSize, page * pageSize);
    case 'twice':
      return all.flatMap((one) => [one, one]);
    default:
      return [];
  }
}
