import { describe, expect, test } from 'vitest';
import {
  type ApplianceFailure,
  TooLarge,
  UnexpectedReply,
  Unreachable,
  Unreadable,
} from '../../api/index.ts';
import { plainText } from '../../handlers/reply.ts';
import { explain } from './faults.ts';

const about = { operation: 'rdp.listVideos', sent: 'yes' } as const;

const told = (failure: ApplianceFailure) =>
  plainText(explain({ code: 'appliance', appliance: 'hq', failure, stakes: 'lookup' }).headline);

describe('what waiting does not mend', () => {
  test.each<[string, ApplianceFailure, RegExp]>([
    [
      'an answer that is too large',
      new TooLarge(4 * 1024 * 1024, about),
      /^hq answered with more than 4 MB, so reading stopped there\. No changes were made\. It will be as much the next time: ask for less of it/,
    ],
    [
      'one that holds too much',
      new UnexpectedReply('', 'has more than 50000 things', about, true),
      /ask for less of it where the command has a limit, or use the web console\.$/,
    ],
    [
      'another service at the address',
      new Unreadable('HTTPParserError: Expected HTTP/', 'other_protocol', { ...about, excerpt: 'SSH-2.0-x' }),
      /^hq can’t be asked, because another service than its Web API answers at its address .* Check the port of url in the bot’s configuration\. It answered SSH-2\.0-x\. No changes were made\.$/,
    ],
    [
      'TLS where the address says http',
      new Unreadable('HTTPParserError: Expected HTTP/', 'tls_wanted', about),
      /^hq wants TLS, and the bot calls it without .* Begin url in the bot’s configuration with https:\/\/\. No changes were made\.$/,
    ],
    [
      'no TLS where the address says https',
      new Unreachable('ERR_SSL_WRONG_VERSION_NUMBER', { operation: 'rdp.listVideos' }, 'tls_unknown'),
      /doesn’t speak it \(ERR_SSL_WRONG_VERSION_NUMBER\)\. Check the port of url .* No changes were made\.$/,
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
