import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { kindOf } from './archive.ts';

test.each<[string, Uint8Array | string, string, string]>([
  ['gzip', gzipSync('x'), 'gzip', 'a gzip archive'],
  ['zip', 'PK\x03\x04 and on', 'zip', 'a zip archive'],
  ['an empty zip', 'PK\x05\x06', 'other', 'an empty zip archive'],
  ['tar', `${'\0'.repeat(257)}ustar`, 'other', 'a tar archive that is not compressed'],
  ['a script', '#!/bin/sh', 'other', 'a script'],
  ['a page', '\n<HTML><body>', 'other', 'a web page'],
  ['text', 'PKI is no zip\r\n', 'other', 'plain text'],
  ['noise', '\x01\x02\x03', 'other', 'not a known archive type'],
  ['half a signature', '\x1f', 'other', 'not a known archive type'],
  ['nothing', '', 'other', 'empty'],
])('%s is known by its first bytes', (_, head, kind, words) => {
  expect(kindOf(typeof head === 'string' ? Buffer.from(head, 'latin1') : head)).toEqual({ kind, words });
});
