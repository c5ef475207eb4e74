import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectAppliance } from '../client.ts';
import { extentOf, readExtent } from './extent.ts';

const of = (body: unknown, came: number) => {
  const { total, namesMore, isWritten } = readExtent('rdp.listMembers', body, came);
  return { total, namesMore, isWritten };
};
const one = { id: 1 };
const plain = { total: undefined, namesMore: false, isWritten: true };

describe('the statements of an answer about its list', () => {
  test.each([
    [{ Status: true, Members: [one] }, plain],
    [[one], plain],
    [
      { Members: [one], Total: 12, Next: 1 },
      { ...plain, total: 12, namesMore: true },
    ],
    [
      { members: [one], total_count: '12' },
      { ...plain, total: 12 },
    ],
    [
      { Members: [one], TotalMembers: 1 },
      { ...plain, total: 1 },
    ],
    [
      { Members: [one], meta: { total: 3, page: 1, pages: 3 } },
      { ...plain, total: 3, namesMore: true },
    ],
    // A count may count only the received entries.
    [{ Members: [one], Count: 1 }, plain],
    [
      { Members: [one], count: 4 },
      { ...plain, total: 4 },
    ],
    [
      { Members: [one], next: '/rdpproxy/members?page=2' },
      { ...plain, namesMore: true },
    ],
    [
      { Members: [one], _links: { next: { href: '/rdpproxy/members?page=2' } } },
      { ...plain, namesMore: true },
    ],
    [{ Members: [one], Next: null, NextPage: '', has_more: false }, plain],
    [
      { Members: [one], hasMore: 'True' },
      { ...plain, namesMore: true },
    ],
    [
      { Members: [one], truncated: 1 },
      { ...plain, namesMore: true },
    ],
    // A full page of an unknown number of them.
    [
      { Members: [one], limit: 1 },
      { ...plain, namesMore: true },
    ],
    [{ Members: [one], limit: 500 }, plain],
    // Other numbers do not count the list.
    [{ Members: [one], total_bytes: 4_711, version: 5, Id: 12 }, plain],
  ])('%j', (body, extent) => expect(of(body, 1)).toEqual(extent));

  test.each([
    [{ Status: true, Members: [] }, plain],
    [[], plain],
    [
      { Status: true, Members: null },
      { ...plain, isWritten: false },
    ],
    [
      { Status: true, Members: null, Count: 0 },
      { total: 0, namesMore: false, isWritten: false },
    ],
    [
      { Status: true, Members: [], Total: 4 },
      { ...plain, total: 4 },
    ],
  ])('without entries: %j', (body, extent) => expect(of(body, 0)).toEqual(extent));
});

test('statements about lists are kept for the fields of a report, too', async () => {
  const { rdp } = await appliance(() => ({ Status: true, Ciphers: ['TLS_A_1', 'TLS_B_2'], Total: 7 }));
  const { fields } = await rdp.tlsCiphers();
  expect(extentOf(fields)).toMatchObject({ total: 7, isWritten: true });
});

async function appliance(answer: (path: string) => unknown) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(JSON.stringify(answer(request.url ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connected = connectAppliance({ name: 'lab', url, release: '4.50 SP5', pace: { perSecond: 10_000 } });
  onTestFinished(async () => {
    await connected.close();
    await new Promise((resolve) => server.close(resolve));
  });
  return { ...connected, asked };
}

const domains = (...names: readonly string[]) => names.map((name) => ({ name }));

describe('pages', () => {
  test.each([
    ['an address', (page: number) => `/authdns/domains?page=${page}`],
    ['another host', (page: number) => `https://192.0.2.1/api/authdns/domains?page=${page}`],
    ['a query', (page: number) => `?page=${page}`],
  ])('are followed to the end where the answer names the next by %s', async (_, next) => {
    const { authdns, asked } = await appliance((path) => {
      const page = Number(new URL(path, 'http://lab').searchParams.get('page') ?? 1);
      const all = domains('a.example', 'b.example', 'c.example', 'd.example', 'e.example');
      return {
        Status: true,
        Domains: all.slice((page - 1) * 2, page * 2),
        Total: 5,
        Next: page < 3 ? next(page + 1) : '',
      };
    });
    const all = await authdns.listDomains();
    expect(all.map(({ name }) => name).join('')).toBe('a.exampleb.examplec.exampled.examplee.example');
    expect(extentOf(all)).toMatchObject({ total: 5, namesMore: false });
    expect(asked).toEqual(['/authdns/domains', '/authdns/domains?page=2', '/authdns/domains?page=3']);
  });

  test('are followed for the only list in a record too', async () => {
    const { rdp } = await appliance((path) => ({
      Events: [{ id: path.includes('page') ? 2 : 1 }],
      Next: path.includes('page') ? null : '/rdpproxy/events?page=2',
    }));
    const { events } = await rdp.listEvents({});
    expect(events.map(({ id }) => id)).toEqual(['1', '2']);
    expect(extentOf(events)).toMatchObject({ namesMore: false });
  });

  test('keep the query of the call', async () => {
    const { rdp, asked } = await appliance((path) => ({
      Patterns: [{ id: path.includes('page') ? 2 : 1 }],
      Next: path.includes('page') ? null : '/rdpproxy/patterns?page=2',
    }));
    expect(await rdp.listPatterns({ policy: 5 })).toHaveLength(2);
    expect(asked).toEqual(['/rdpproxy/patterns?policy=5', '/rdpproxy/patterns?policy=5&page=2']);
  });

  test.each([
    ['the address of another call', '/rdpproxy/restart'],
    ['a number', 5],
    ['a token', 'eyJwYWdlIjoyfQ'],
    ['the page itself', '/authdns/domains'],
  ])('at %s are not followed, and the list is not whole', async (_, next) => {
    const { authdns, asked } = await appliance(() => ({ Domains: domains('a.example'), Next: next }));
    const all = await authdns.listDomains();
    expect(all).toHaveLength(1);
    expect(extentOf(all)?.namesMore).toBe(true);
    expect(asked).toEqual(['/authdns/domains']);
  });

  test('that form a circle end', async () => {
    const { authdns, asked } = await appliance((path) => ({
      Domains: domains(path),
      Next: path.endsWith('=2') ? '?page=3' : '?page=2',
    }));
    const all = await authdns.listDomains();
    expect(asked).toHaveLength(3);
    expect(extentOf(all)?.namesMore).toBe(true);
  });
});
