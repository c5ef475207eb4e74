import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { denials, everyFault } from '../../../test/faults.ts';
import {
  type ApplianceFailure,
  TooLarge,
  UnexpectedReply,
  Unreachable,
  Unreadable,
} from '../../api/index.ts';
import { plainText, type Text } from '../../handlers/reply.ts';
import { becauseDenied, whyDenied } from './denials.ts';
import { codeOf, explain, type Fault, isDenial, wordsFor } from './faults.ts';

/** Whoever gives the reason says in it what to do. */
const sayWhatToDo: ReadonlySet<Fault['code']> = new Set(['nothing_to_act_on', 'file']);

describe('every fault', () => {
  test('says what happened, what did not, and what to do', () => {
    const lacking = everyFault.flatMap((fault) => {
      const { happened, not, todo } = wordsFor(fault);
      const parts = [happened, not, ...(sayWhatToDo.has(fault.code) ? [] : [todo])];
      return parts.every((part) => plainText(part).trim().length > 5) ? [] : [[fault.code, plainText(todo)]];
    });
    expect(lacking).toEqual([]);
  });

  test('is told in plain, whole sentences', () => {
    const odd = everyFault.flatMap((fault) => {
      const { happened, not, todo } = wordsFor(fault);
      return [happened, not, todo].flatMap((part: Text) => {
        const said = plainText(part);
        const isWhole = said === '' || /^[A-Z`0-9@#“-].*[.?:)]$/su.test(said) || typeof part[0] !== 'string';
        const isPlain = !/undefined|NaN|\[object| {2}|\bplease\b|\bsorry\b|\bI\b|\bmy\b/i.test(said);
        const isFirm = !/^(?:Of|What|Whoever|That which) /.test(said);
        return isWhole && isPlain && isFirm ? [] : [[fault.code, said]];
      });
    });
    expect(odd).toEqual([]);
  });

  test('is told in this order, and recorded by a code that is its own', () => {
    for (const fault of everyFault) {
      const { happened, not } = wordsFor(fault);
      const [headline, said] = [explain(fault).headline, [...happened, ' ', ...not]].map(plainText);
      expect(headline?.startsWith(said ?? '')).toBe(true);
      expect(codeOf(fault)).toMatch(/^[a-z_]+$/);
    }
  });

  test('is somebody’s, or nobody’s: no code is left over', () => {
    const sources = sourcesIn('src/action').concat(sourcesIn('cli'));
    const unused = [...new Set(everyFault.map(({ code }) => code))].filter(
      (code) => !sources.some(({ text }) => text.includes(`'${code}'`)),
    );
    expect(unused).toEqual([]);
  });

  test('is worded in the catalogue alone', () => {
    // How a request for a site stands is told by the request itself.
    const others = sourcesIn('src/action').filter(
      ({ path }) => !/^(?:wording|requests|ask)\/|site-askers/.test(path),
    );
    const found = others.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(?:[Nn]o changes were made|did nothing)[^`'"\n]*\. [A-Z$][^`'"\n]*|Try again in[^`'"\n]*/g,
        ),
      ].map(([words]) => `${path}: ${words}`),
    );
    expect(found).toEqual([]);
  });
});

function sourcesIn(folder: string): readonly { readonly path: string; readonly text: string }[] {
  const root = new URL('../../../', import.meta.url).pathname;
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, folder, path), 'utf8') }));
}

test('what somebody has too many of is told in a sentence that can be read, whatever it is', () => {
  const told = (['line', 'lookup', 'history', 'change', 'form', 'search', 'home'] as const).map((kind) =>
    plainText(
      explain({ code: 'too_many', excess: { kind, most: 2, again: undefined }, lines: ['cancel'] }).headline,
    ),
  );
  expect(told.map((one) => /^You have 2 (.*) under way, as many/.exec(one)?.[1])).toEqual([
    ...['lines', 'questions', 'questions about what was done', 'changes', 'forms', 'searches', 'pages'],
  ]);
});

test('the same denial has the same reason, whoever reads it and wherever', () => {
  const swap = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/\byour\b/g, 'their')
      .replaceAll(/\byou\b/g, 'they')
      .replaceAll(/\bthem\b/g, 'they');
  for (const denial of denials) {
    const [mine, theirs] = (['you', 'they'] as const).map((whom) => plainText(whyDenied(denial, 'C1', whom)));
    expect(swap(mine ?? '')).toBe(swap(theirs ?? ''));
    const told = plainText(explain({ code: 'denied', channel: 'C1', denial, capable: [] }).headline);
    expect(told.startsWith(mine ?? '')).toBe(true);
    const within = plainText(becauseDenied(denial, 'C1', 'they'));
    expect(within.replaceAll(', and ', '. ').toLowerCase()).toBe(
      (theirs ?? '').replace(/\.$/, '').replaceAll(', and ', '. ').toLowerCase(),
    );
    expect(isDenial(denial.code)).toBe(true);
  }
});

const about = { operation: 'rdp.listVideos', sent: 'yes' } as const;

const told = (failure: ApplianceFailure) =>
  plainText(explain({ code: 'appliance', appliance: 'hq', failure, stakes: 'lookup' }).headline);

describe('what waiting does not mend', () => {
  test.each<[string, ApplianceFailure, RegExp]>([
    [
      'an answer that is too large',
      new TooLarge(4 * 1024 * 1024, about),
      /^hq answered with more than 4 MB, so reading stopped there\. No changes were made\. The next answer will be as large\. Ask for less/,
    ],
    [
      'one that holds too much',
      new UnexpectedReply('', 'has more than 50000 things', about, true),
      /Ask for less where the command has a limit, or use the web console\.$/,
    ],
    [
      'another service at the address',
      new Unreadable('HTTPParserError: Expected HTTP/', 'other_protocol', { ...about, excerpt: 'SSH-2.0-x' }),
      /^hq can’t be reached, because another service than its Web API answers at its address .* It answered SSH-2\.0-x\. No changes were made\. Check the port of url in the bot’s configuration\.$/,
    ],
    [
      'TLS where the address says http',
      new Unreadable('HTTPParserError: Expected HTTP/', 'tls_wanted', about),
      /^hq requires TLS, and the bot calls it without .* No changes were made\. Begin url in the bot’s configuration with https:\/\/\.$/,
    ],
    [
      'no TLS where the address says https',
      new Unreachable('ERR_SSL_WRONG_VERSION_NUMBER', { operation: 'rdp.listVideos' }, 'tls_unknown'),
      /doesn’t speak it \(ERR_SSL_WRONG_VERSION_NUMBER\)\. No changes were made\. Check the port of url /,
    ],
    [
      'HTTP that is none',
      new Unreadable('HTTPParserError: Missing expected CR', 'malformed_http', about),
      /^hq sent an answer that is not valid HTTP \(HTTPParserError: Missing expected CR\)\./,
    ],
    [
      'headers without end',
      new Unreadable('UND_ERR_HEADERS_OVERFLOW', 'long_headers', about),
      /^hq sent more than 16 KB of HTTP headers, so reading stopped there \(UND_ERR_HEADERS_OVERFLOW\)\./,
    ],
    [
      'an answer in an unknown compression',
      new Unreadable('UNKNOWN_ENCODING', 'compressed', about),
      /^hq sent an answer that is compressed and can’t be unpacked \(UNKNOWN_ENCODING\)\./,
    ],
  ])('%s is told without the advice to try again', (_, failure, says) => {
    expect(told(failure)).toMatch(says);
    expect(told(failure)).not.toContain('Try again');
  });
});
