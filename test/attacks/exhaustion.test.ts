import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { linksIn } from '../../src/action/given/links.ts';
import { fileName, textOf } from '../../src/action/showing/plain-files.ts';
import { connectAppliance } from '../../src/api/index.ts';
import { excerptOf } from '../../src/api/reading/excerpt.ts';
import { shownText } from '../../src/api/reading/said.ts';
import { readHours } from '../../src/auth/hours.ts';
import { cutMrkdwn, mrkdwn, plainLabel } from '../../src/bot/rendering/slack-text.ts';
import { readDuration } from '../../src/duration.ts';
import { emergencyIn } from '../../src/handlers/directory/authentication.ts';
import { cleanLine, splitValues } from '../../src/handlers/language/line.ts';
import { readSince } from '../../src/handlers/language/since.ts';
import { commands, match } from '../../src/handlers/registry.ts';
import { readResolvConf } from '../../src/handlers/resolver/resolv-conf.ts';
import { readDuration as readMeasured } from '../../src/handlers/wording/quantities.ts';
import { hideSecrets } from '../../src/telemetry/log.ts';
import { needing, sent, under } from '../approving.ts';
import { converse } from '../conversation.ts';
import { expectLinear } from '../growth.ts';
import { hostileReplies } from '../hostile-replies.ts';
import { slowness, timeOf } from '../processor-time.ts';
import { attacks } from './rows.ts';

const ticket = (pattern: string) => needing({ reason: { pattern } });

/** Repeated pastes, brackets that are never closed, and text with many possible splits. */
const pieces = [
  ...[
    'a',
    '0',
    ' ',
    '\u00a0',
    '\n',
    '"',
    "'",
    '`',
    '-',
    '=',
    '<',
    '<<',
    '>',
    '&',
    '&amp;',
    '\\',
    '/',
    '.',
    ',',
    ';',
  ],
  ...[
    '_',
    '*',
    '@',
    '#',
    '?',
    '!',
    '(',
    '[',
    '{',
    ')',
    ']',
    '}',
    '|',
    'e\u0301',
    '\u0301',
    '\u200b',
    '\ud800',
    '😀',
  ],
  ...[
    '<http://',
    '<http://a',
    '<mailto:',
    '<a|',
    '<@',
    '<!',
    'a ',
    'a,',
    'a.',
    'a=',
    '--a ',
    '--a=',
    '--for ',
    '--on a, ',
  ],
  ...[
    '-pass',
    'pass ',
    '-token-',
    '" a',
    '"a ',
    "'a ",
    'a"',
    ' "',
    'http://',
    'https://a/services',
    'postgres://a:b',
  ],
  ...[
    '?password=',
    '1d',
    '1 ',
    '1.',
    '8:',
    'mon-',
    'mon - ',
    '[.]',
    '( dot )',
    '<script>',
    '<head ',
    'please ',
    'to ',
  ],
  ...['/appliance ', 'no emergency ', '#\u2028'],
];

/** Every one of them reads 40 kB, the most that a message has, of any of these pieces in the time that its length takes. */
const readsAnything = (readers: readonly ((text: string) => unknown)[]) => async () => {
  for (const piece of pieces) {
    const make = (size: number) => `x${piece.repeat(Math.ceil(size / piece.length))}x`;
    for (const read of readers) await expectLinear(40_000, make, read);
  }
};

const emergencyFor = (info: string) => {
  const told = { answered: true, value: { info } };
  return emergencyIn({ directory: told, link: told } as never);
};

const commandsWith = ['', 'acl record add 3 ', 'rdp disconnect 12 --reason ', 'emergency enable --for '];

attacks('work per input', [
  {
    attack: 'a message that opens links, quotes and brackets and closes none',
    must: 'its links are found in the time that its length takes',
    tryIt: readsAnything([(text) => linksIn({ links: [], texts: [text] })]),
  },
  {
    attack:
      'a typed line of 40 kB of quotes, dashes, small words or combining marks, behind every kind of command',
    must: 'it is understood, or not, in the time that its length takes',
    tryIt: readsAnything([
      (text) => splitValues(cleanLine(text)),
      (text) => splitValues(cleanLine(`https://a.example/${text}`)),
      ...commandsWith.map((command) => (text: string) => match(cleanLine(command + text))),
    ]),
  },
  {
    attack: 'a typed line that names appliances over and over',
    must: 'they are put together in the time that their number takes',
    tryIt: async () => {
      for (const piece of ['--on a, ', '--on a, b ', '--on=a ', '--on "a," b ', '--on a,, ']) {
        const make = (size: number) => `status ${piece.repeat(size / piece.length)}`;
        await expectLinear(400_000, make, (text) => match(cleanLine(text)));
      }
    },
  },
  {
    attack: 'a time, a duration or hours of a week of 40 kB',
    must: 'they are refused in the time that their length takes',
    tryIt: readsAnything([readDuration, readMeasured, readSince, readHours]),
  },
  {
    attack: 'a name of 40 kB in a message, a file or the log',
    must: 'it is written there in the time that its length takes',
    tryIt: readsAnything([
      (text) => mrkdwn([text]),
      (text) => cutMrkdwn(text, text.length - 1),
      (text) => cutMrkdwn(`${text}>..`, text.length + 2),
      (text) => plainLabel(text, 75),
      (text) => fileName(text, 'txt'),
      (text) => excerptOf(text, ['sandbox-web-api-key']),
      hideSecrets,
    ]),
  },
  {
    attack: 'an appliance that says something endless about its emergency mode or its resolvers',
    must: 'it is read in the time that its length takes',
    tryIt: readsAnything([
      readResolvConf,
      emergencyFor,
      (info) => emergencyFor(`Emergency ${info} emergency`),
    ]),
  },
  {
    attack: 'a table with one cell of 100 kB among 2,000 rows, as a text to take away',
    must: 'no other row is filled up to its width',
    tryIt: () => {
      const rows = Array.from({ length: 2_000 }, (_, index) => [
        [index === 7 ? 'a'.repeat(100_000) : 'b'],
        ['c'],
      ]);
      const text = textOf([{ kind: 'table', columns: ['name', 'what'], rows }]);
      expect(text.length).toBeLessThan(600_000);
      expect(text).toContain(`${'a'.repeat(1_000)}  c`);
    },
  },
  {
    attack:
      'replies of nothing but one mark, nested, unclosed, or of a key that almost names what was asked for',
    must: 'they are read, or refused, in the time that their length takes',
    tryIt: async () => {
      let body = '';
      const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await new Promise((resolve) => server.once('listening', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const hq = connectAppliance({
        name: 'hq',
        url,
        directoryUrl: url,
        key: 'sandbox-web-api-key',
        release: '4.50 SP5',
      });
      onTestFinished(() => hq.close());
      const calls = [
        () => hq.rdp.listSessions(),
        () => hq.rdp.getMember({ id: 1 }),
        () => hq.acl.listObjects(),
        () => hq.categories.addSites({ id: 1, sites: ['a.example'] }),
      ];
      for (const make of Object.values(hostileReplies)) {
        for (const call of calls) {
          await expectLinear(200_000, make, async (reply) => {
            body = reply;
            await call().catch((failure: { code?: string }) => expect(failure.code).toBeTypeOf('string'));
          });
        }
      }
    },
  },
  {
    attack:
      'a value of an answer that is full of secrets: in a long list, in a wide record, far down in a deep one',
    must: 'they are hidden in the time that its size takes',
    tryIt: async () => {
      const secret = { password: 'hunter2' };
      const places = (count: number) => Array.from({ length: Math.ceil(count) }, (_, index) => index);
      const values: readonly ((size: number) => object)[] = [
        (size) => places(size / 20).map((index) => ({ ...secret, index })),
        (size) => Object.fromEntries(places(size / 25).map((index) => [`k${index}`, secret])),
        (size) => Object.fromEntries(places(size / 20).map((index) => [`password${index}`, 'a'])),
        (size) => places(size / 20).map((index) => [[secret, index]]),
        (size) =>
          places(200).reduce<object>(
            (inside) => ({ inside, numbers: places(size / 500), list: [secret] }),
            secret,
          ),
      ];
      for (const make of values) {
        expect(shownText('Fields', make(400))).not.toContain('hunter2');
        await expectLinear(400_000, make, (value) => shownText('Fields', value));
      }
    },
  },
  {
    attack: 'a reason for which a backtracking engine would try every way to part its 28 letters',
    must: 'it is refused as quickly as any other',
    tryIt: async () => {
      const house = await ticket('^(\\w+[ -]?)+$');
      const ask = (reason: string) => house.type(`/appliance rdp disconnect 12 --reason "${reason}"`);
      await ask('stuck?');
      const usual = await timeOf(() => ask('does not answer?'));
      const hostile = await timeOf(() => ask(`${'a'.repeat(28)}!`));
      expect(hostile).toBeLessThan(5 * usual + 500 * (await slowness()));
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'a reason of 7,000 letters',
    must: 'it is refused, and the answer says how long one may be and repeats none of it',
    tryIt: async () => {
      const house = await ticket('^[a-z ]+$');
      const said = await house.type(`/appliance rdp disconnect 12 --reason "${'long '.repeat(1_400)}"`);
      expect(said).toContain(
        'A reason has at most 500 characters, and this one has 7,000. No changes were made. Shorten it, and type it again.',
      );
      expect(said).not.toContain('long long long long');
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'one line that names some thousand appliances, each of them twice, known and unknown',
    must: 'it is answered like any other, and what is kept of it stays small',
    tryIt: async () => {
      const house = await converse({ branches: 1 });
      const some = (name: (at: number) => string, count: number) =>
        Array.from({ length: count }, (_, at) => name(at)).join(',');
      const usual = await timeOf(() => house.type('/appliance acl objects --on all', 'dana'));
      for (const on of [
        some((at) => `a${at}`, 1_500),
        some(() => 'hq', 2_500),
        some(() => 'tag:prod', 900),
        some(() => 'all', 2_000),
      ]) {
        for (const line of ['acl objects', 'audit', 'timeline']) {
          const all = await timeOf(() => house.type(`/appliance ${line} --on ${on}`, 'dana'));
          expect(all).toBeLessThan(5 * usual + 500 * (await slowness()));
        }
      }
      const actions = await house.bot.journal.recent(100);
      expect(JSON.stringify(actions.map(({ outcome }) => outcome))).not.toContain('internal');
      expect(house.read('dana')).not.toMatch(/went wrong|mistake/);
    },
  },
  {
    attack: 'a typed line of 280 different words, on an appliance whose every list has 20,000 names',
    must: 'it is read in at most a second more than without the names',
    tryIt: async () => {
      const words = Array.from({ length: 280 }, (_, at) =>
        [at % 26, Math.floor(at / 26) % 26, 20, 4, 17].map((letter) => String.fromCharCode(97 + letter)),
      );
      const line = `please ${words.map((letters) => letters.join('')).join(' ')} block`;
      const lists = new Set(
        commands.flatMap(({ args }) => Object.values(args).flatMap(({ list }) => list ?? [])),
      );
      const read = (count: number) =>
        timeOf(async () => {
          const names = Array.from({ length: count }, (_, at) => `abuser name ${at}`);
          const listed = new Map([...lists].map((list) => [list, new Set(names)]));
          match(line, { appliances: new Map(), listed, people: new Set(), users: new Set() });
        });
      await read(0);
      const more = (await read(20_000)) - (await read(0));
      expect(more).toBeLessThan(1_000 * (await slowness()));
    },
  },
  {
    attack:
      'forms whose texts are as long as Slack lets them be: the reason of a denial, the words of a filter',
    must: 'they are taken or refused, and the card and the channel still take what follows',
    tryIt: async () => {
      const house = await under({
        approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }],
      });
      await house.type('/appliance rdp disconnect 12', 'bob');
      await house.press('Deny…', 'carol');
      const carol = house.person('carol');
      await carol.fill({ Reason: `no ${'`*<&'.repeat(740)}` });
      await carol.submit();
      expect(carol.form()?.errors).toEqual({
        Reason: 'A reason has at most 500 characters, and this one has 2,963.',
      });
      await carol.fill({ Reason: `no ${'`*<&'.repeat(124)}` });
      await carol.submit();
      expect(house.read('bob')).toContain('Denied by @carol');
      await house.type('/appliance acl records 3', 'bob');
      await house.press('Filter…', 'bob');
      await house.person('bob').fill({ Words: 'a '.repeat(1_400) });
      await house.person('bob').submit();
      expect(house.read('bob')).toMatch(/match/);
    },
  },
]);
