import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';
import { describe, expect, test } from 'vitest';
import { multipart, sentName, type UploadProgress } from './multipart.ts';

const stride = 65_536;

function open(name: string, pieces: readonly Uint8Array[], size?: number) {
  const content = { name, size, pieces: each(pieces), close: async () => undefined };
  return (onProgress?: (progress: UploadProgress) => void) => multipart(content, 'servicepack', onProgress);
}

async function* each(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

/** The result of an independent form parser. */
function parse(type: string, form: Uint8Array): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const found: unknown[] = [];
    const busboy = new Busboy({ headers: { 'content-type': type } });
    busboy.on('file', async (field, file, name, _encoding, kind) => {
      found.push({ field, name, kind, bytes: await buffer(file) });
    });
    busboy.on('field', (field, value) => found.push({ field, value }));
    busboy.on('finish', () => setImmediate(resolve, found));
    busboy.on('error', reject);
    busboy.end(form);
  });
}

describe('the form', () => {
  test('has the file and nothing else, byte for byte', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const tricky = Buffer.concat([all, Buffer.from('\r\n--appliance-\r\n--\r\n\r\n'), all]);
    const { headers, body } = open('pack.tgz', [tricky, Buffer.of(), all])();
    const form = await buffer(body);
    expect(headers).not.toHaveProperty('content-length');
    expect(await parse(headers['content-type'] ?? '', form)).toEqual([
      {
        field: 'servicepack',
        name: 'pack.tgz',
        kind: 'application/octet-stream',
        bytes: Buffer.concat([tricky, all]),
      },
    ]);
  });

  test('has exactly its announced length', async () => {
    const { headers, body } = open('päck "1".tgz', [Buffer.alloc(200_000)], 200_000)();
    expect(headers['content-length']).toBe(String((await buffer(body)).length));
  });

  test('has a new boundary every time', () => {
    const types = [open('a', [])(), open('a', [])()].map(({ headers }) => headers['content-type']);
    expect(new Set(types).size).toBe(2);
  });

  test.each([
    'pack.tgz',
    'Größe 试验 🙂.tgz',
    'a "quoted" name.tgz',
    'two\r\nlines\n.tgz',
    "it's 100%; x=y.tgz",
    'a\\b.tgz',
  ])('writes the resulting file name for %j as browsers do', async (name) => {
    const { headers, body } = open(name, [Buffer.from('x')])();
    const ours = await buffer(body);
    const form = new FormData();
    form.set('servicepack', new Blob(['x']), sentName(name));
    const theirs = Buffer.from(await new Response(form).bytes());
    const line = (bytes: Buffer) => bytes.toString().split('\r\n')[1];
    expect(line(ours)).toBe(line(theirs));
    expect(await parse(headers['content-type'] ?? '', ours)).toHaveLength(1);
  });
});

describe('a large chunk', () => {
  test('is sent in small ones, so that a stalled upload is noticed', async () => {
    const large = Buffer.alloc(1_000_000, 'large piece');
    const out: Uint8Array[] = [];
    for await (const piece of open('a', [large])().body) out.push(piece);
    expect(Math.max(...out.map(({ length }) => length))).toBe(stride);
    expect(Buffer.concat(out).includes(large)).toBe(true);
  });

  test('is not copied', async () => {
    const large = Buffer.alloc(1_000_000);
    const buffers = new Set<ArrayBufferLike>();
    for await (const piece of open('a', [large])().body)
      if (piece.length === stride) buffers.add(piece.buffer);
    expect([...buffers]).toEqual([large.buffer]);
  });
});

describe('the progress', () => {
  const told = async (pieces: readonly Uint8Array[], size?: number) => {
    const all: UploadProgress[] = [];
    await buffer(open('a', pieces, size)((progress) => all.push(progress)).body);
    return all;
  };

  test('is reported once in 64 KiB and at the end, with the size if it is known', async () => {
    expect(await told([Buffer.alloc(150_000)], 150_000)).toEqual([
      { sent: 65_536, total: 150_000 },
      { sent: 131_072, total: 150_000 },
      { sent: 150_000, total: 150_000 },
    ]);
  });

  test('of many small chunks is not reported for each', async () => {
    const all = await told(Array.from({ length: 20_000 }, () => Buffer.alloc(10)));
    expect(all).toEqual([{ sent: 65_540 }, { sent: 131_080 }, { sent: 196_620 }, { sent: 200_000 }]);
  });

  test('is reported once for a small file', async () => {
    expect(await told([Buffer.from('small')], 5)).toEqual([{ sent: 5, total: 5 }]);
    expect(await told([Buffer.alloc(stride)], stride)).toEqual([{ sent: stride, total: stride }]);
  });

  test('counts bytes that were taken, not those offered', async () => {
    const all: number[] = [];
    const pieces = open('a', [Buffer.alloc(stride), Buffer.alloc(stride)])(({ sent }) => all.push(sent)).body;
    const reader = pieces[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    expect(all).toEqual([]);
    await reader.next();
    expect(all).toEqual([stride]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('the page is gone');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('the page is gone');
      },
    ],
  ])('breaks nothing when its listener %s', async (_how, listener) => {
    const form = await buffer(open('a', [Buffer.alloc(150_000, 'x')])(listener).body);
    expect(form.includes(Buffer.alloc(150_000, 'x'))).toBe(true);
  });
});

test.each([
  ['hotfix-20261120-01.tgz', 'hotfix-20261120-01.tgz'],
  ['Größe 试验.tgz', 'Größe 试验.tgz'],
  ['../../x.tgz', 'x.tgz'],
  ['C:\\temp\\x.tgz', 'x.tgz'],
  ['x\u202ezgt.exe.tgz', 'x_zgt.exe.tgz'],
  ['a "quoted" name.tgz', 'a _quoted_ name.tgz'],
  ['two\r\nlines.tgz', 'two__lines.tgz'],
  ['nul\u0000.tgz', 'nul_.tgz'],
  ['filler\u3164.tgz', 'filler_.tgz'],
  ['$(reboot);`id`.tgz', '_(reboot)__id_.tgz'],
  ['100%2e%2e%2fx.tgz', '100_2e_2e_2fx.tgz'],
  ['-rf.tgz', 'rf.tgz'],
  ['.hidden.tgz', 'hidden.tgz'],
  ['..', 'file'],
  ['/', 'file'],
  ['.tgz', 'file.tgz'],
  ['🙂.zip', '_.zip'],
])('%j is sent as %j', (given, sent) => {
  expect(sentName(given)).toBe(sent);
  expect(sentName(sent)).toBe(sent);
});

test('a long name is shortened at a letter boundary, and keeps its ending', () => {
  for (const letter of ['x', 'я', '试', '𠀀']) {
    const sent = sentName(`${letter.repeat(5_000)}.zip`);
    expect(sent).toMatch(new RegExp(`^${letter}+\\.zip$`, 'u'));
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(150);
    expect(Buffer.byteLength(sent)).toBeGreaterThan(140);
  }
});
