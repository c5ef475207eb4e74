import { expect, test } from 'vitest';
import { hostileReplies } from '../hostile-replies.ts';
import { oneReplyAppliance } from '../one-reply-appliance.ts';
import { slowness, timeOf } from '../processor-time.ts';
import { seeded } from '../seeded.ts';
import { sized } from '../size.ts';

const replies = sized(100, 1_500, 5_000);
const largest = 4_000_000;
/** Milliseconds beside what JSON.parse alone takes for it, on a machine that is not slow now. */
const most = 250;

const parse = (json: string) => {
  try {
    JSON.parse(json);
  } catch {
    // Many are no JSON.
  }
};

test(`none of ${replies} hostile replies of up to 4 MB holds up the process for more than a quarter of a second`, {
  timeout: 1_800_000,
}, async () => {
  const { appliance: hq, tell } = await oneReplyAppliance();
  const calls = [
    () => hq.rdp.listSessions(),
    () => hq.rdp.getMember({ id: 1 }),
    () => hq.acl.listObjects(),
    () => hq.acl.compile(),
    () => hq.categories.addSites({ id: 1, sites: ['a.example'] }),
    () => hq.categories.list(),
    () => hq.authdns.statistics(),
    () => hq.sqldb.listDatabases(),
    () => hq.sqldb.listUsers(),
    () => hq.rdp.listMembers(),
    () => hq.directory.status(),
  ];
  const kinds = Object.entries(hostileReplies);
  const random = seeded(1);
  const slow: string[] = [];
  for (let index = 0; index < replies; index += 1) {
    const [name, make] = kinds[index % kinds.length] ?? ['', () => ''];
    // Most are small; about one in a hundred is as large as they come.
    const size = Math.ceil(largest * Math.min(1, 1.01 * random() ** 12));
    const body = make(size);
    await tell(body);
    const call = calls[Math.floor(random() * calls.length)];
    const read = () =>
      timeOf(() => call?.().catch((failure: { code?: string }) => expect(failure.code).toBeTypeOf('string')));
    // The best of three, where it seems slow: a machine that others use stumbles now and then.
    let whole = await read();
    for (let tries = 2; tries > 0 && whole >= most; tries -= 1) whole = Math.min(whole, await read());
    if (whole < most) continue;
    const parsing = Math.min(await timeOf(() => parse(body)), await timeOf(() => parse(body)));
    if (whole - parsing > most * (await slowness()))
      slow.push(`${name} of ${size}: ${whole.toFixed()} ms by ${call}`);
  }
  expect(slow).toEqual([]);
});
