import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import type { UploadContent } from './content.ts';
import { openShellPackage } from './shell-package.ts';

const script = '#!/bin/sh\nSCRIPT_ID="check1"\n./bin/install "$SHELL_PASS"\nexit 0\n';
const made = new Date('2026-03-01T10:20:30Z');

interface File {
  readonly content: Uint8Array | string;
  readonly mode?: number;
  readonly compress?: boolean;
}
type Files = Readonly<Record<string, string | File>>;

/** A folder if the name ends with a slash, otherwise a file with its content. */
async function zipOf(...parts: readonly Files[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, file] of parts.flatMap((files) => Object.entries(files))) {
    const { content, ...options } = typeof file === 'string' ? { content: file } : file;
    if (name.endsWith('/')) zip.addEmptyDirectory(name, { mtime: made });
    else zip.addBuffer(Buffer.from(content), name, { mtime: made, ...options });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** The result of an independent unpacker. */
async function unzip(bytes: Buffer) {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const found: { name: string; content: Buffer; mode: number; mtime: Date; crc32: number }[] = [];
  for await (const entry of zip.eachEntry()) {
    const content = entry.fileName.endsWith('/')
      ? Buffer.of()
      : await buffer(await zip.openReadStreamPromise(entry));
    const mode = entry.externalFileAttributes >>> 16;
    found.push({ name: entry.fileName, content, mode, mtime: entry.getLastModDate(), crc32: entry.crc32 });
  }
  return found;
}

const bytesOf = (bytes: Uint8Array): UploadContent => ({ bytes, name: 'check.zip' });

async function sent(content: UploadContent, password?: string) {
  const opened = await openShellPackage(content, password);
  const bytes = await buffer(opened.pieces);
  await opened.close();
  return { opened, bytes, files: await unzip(bytes) };
}

const refusal = (zip: Uint8Array, password: string | undefined = 'correct-horse') =>
  openShellPackage(bytesOf(zip), password).then(
    () => 'accepted',
    (error: Error) => (error.name === 'BadUpload' ? error.message : error),
  );

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shell-package-test-'));
  // The folder for temporary copies of streams.
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

describe('a package', () => {
  const binary = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) % 251));
  const files: Files = {
    'bin/': '',
    'bin/install': { content: binary, mode: 0o100755 },
    'data/größe.txt': { content: binary.subarray(0, 1_000), mode: 0o100640, compress: false },
    'empty.txt': '',
    'empty/': '',
    'shell.sh': { content: script, mode: 0o100750 },
    link: { content: 'bin/install', mode: 0o120777 },
  };

  test.each<[string, (zip: Buffer) => Promise<UploadContent>]>([
    ['path', async (zip) => fileOf(zip)],
    ['address', async (zip) => pathToFileURL(await fileOf(zip))],
    ['bytes', async (zip) => bytesOf(zip)],
    ['part of a larger buffer', async (zip) => bytesOf(Buffer.concat([zip, zip]).subarray(zip.length))],
    ['stream', async (zip) => ({ stream: Readable.from(slices(zip)), name: 'check.zip' })],
    ['stream with a size', async (zip) => ({ stream: slices(zip), name: 'check.zip', size: zip.length })],
  ])(
    'given as %s arrives with the password in its script and every other file as it was',
    async (_how, give) => {
      const zip = await zipOf(files);
      const before = await unzip(zip);
      const { opened, bytes, files: after } = await sent(await give(zip), 'correct-horse');
      expect(opened).toMatchObject({ name: 'check.zip', size: bytes.length, secrets: ['correct-horse'] });
      const others = (all: typeof after) =>
        all
          .filter(({ name }) => name !== 'shell.sh')
          .toSorted((one, other) => (one.name < other.name ? -1 : 1));
      expect(after).toHaveLength(Object.keys(files).length);
      expect(others(after)).toEqual(others(before));
      expect(after.find(({ name }) => name === 'shell.sh')).toMatchObject({
        content: Buffer.from(script.replace('\n', '\nSHELL_PASS="correct-horse"\n')),
        mode: 0o100750,
        mtime: made,
      });
    },
  );

  async function fileOf(zip: Buffer): Promise<string> {
    const path = join(folder, 'check.zip');
    await writeFile(path, zip);
    return path;
  }

  test('keeps its script unchanged if no password is configured', async () => {
    const own = Buffer.concat([Buffer.from(`${script}SHELL_PASS="its own"\n# `), Buffer.of(0xe9, 0xff)]);
    const { opened, files: after } = await sent(bytesOf(await zipOf({ 'shell.sh': { content: own } })));
    expect(after).toMatchObject([{ name: 'shell.sh', content: own }]);
    expect(opened.secrets).toEqual(['its own']);
  });

  test('loses the password that it came with', async () => {
    const zip = await zipOf({ 'shell.sh': `${script}export SHELL_PASS='old secret'\n` });
    const { bytes } = await sent(bytesOf(zip), 'correct-horse');
    expect(bytes.includes('old secret')).toBe(false);
    expect(bytes.includes('export SHELL_PASS="correct-horse"\n')).toBe(true);
  });
});

describe('a package out of the ordinary', () => {
  const many = (count: number, name: (index: number) => string): Files =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [name(index), { content: '', compress: false }]),
    );

  test.each<[string, () => Promise<Buffer>]>([
    [
      'hundreds of files',
      () =>
        zipOf(
          { 'shell.sh': script },
          many(800, (index) => `data/${index}.txt`),
        ),
    ],
    // The directory of the zip alone has more than 64 KiB.
    [
      'thousands of files',
      () =>
        zipOf(
          { 'shell.sh': script },
          many(2_000, (index) => `data/${index}.txt`),
        ),
    ],
    ['thousands of folders behind a file', folders],
    ['files from before 1970', () => datedZip(-86_400 * 365)],
    ['files from after 2038', () => datedZip(2 ** 31 - 1)],
  ])('with %s is exactly as long as it says, and can be unpacked', async (_what, make) => {
    const zip = await make();
    const { opened, bytes, files } = await sent(bytesOf(zip), 'correct-horse');
    expect(bytes.length).toBe(opened.size);
    expect(files).toHaveLength((await unzip(zip)).length);
  });

  /** Made by renaming files, because the zip writer cannot produce this one. */
  async function folders(): Promise<Buffer> {
    const files = many(6_000, (index) => `${index}.folder~`);
    const zip = await zipOf({ 'a.txt': 'first', 'shell.sh': { content: script, compress: false } }, files);
    return Buffer.from(zip.toString('latin1').replaceAll('.folder~', '.folder/'), 'latin1');
  }

  /** Seconds since 1970, as the extended timestamp of a zip has them. */
  async function datedZip(seconds: number): Promise<Buffer> {
    const zip = await zipOf({ 'shell.sh': script, 'old.txt': 'old' });
    for (let at = zip.indexOf('UT\x05\0'); at >= 0; at = zip.indexOf('UT\x05\0', at + 1)) {
      zip.writeInt32LE(seconds, at + 5);
    }
    return zip;
  }
});

describe('is refused with one sentence', () => {
  test.each<[string, readonly Files[], string]>([
    ['no shell.sh', [{ 'install.sh': script }], 'the package has no shell.sh at the top level'],
    ['nothing in it', [], 'the package has no shell.sh at the top level'],
    ['another spelling', [{ 'Shell.sh': script }], 'the package has no shell.sh at the top level'],
    [
      'shell.sh in a folder',
      [{ 'check/': '', 'check/shell.sh': script }],
      'the package has shell.sh in a folder (check/shell.sh); move it to the top level',
    ],
    [
      'shell.sh twice',
      [{ 'shell.sh': script }, { 'shell.sh': script }],
      'the package contains more than one shell.sh',
    ],
    [
      'Windows line endings',
      [{ 'shell.sh': '#!/bin/sh\nSCRIPT_ID=a\r\n' }],
      'line 2 of shell.sh has a Windows line ending; save the file with Unix line endings (LF)',
    ],
    [
      'no SCRIPT_ID',
      [{ 'shell.sh': '#!/bin/sh\n' }],
      'shell.sh does not set SCRIPT_ID, which is needed to read its status',
    ],
    [
      'a shell.sh that is no script any more',
      [{ 'shell.sh': { content: Buffer.alloc(1024 ** 2 + 1, 'a') } }],
      'shell.sh is larger than 1 MiB',
    ],
  ])('%s', async (_what, files, sentence) => {
    expect(await refusal(await zipOf(...files))).toBe(sentence);
  });

  test('no password anywhere', async () => {
    const zip = await zipOf({ 'shell.sh': script });
    await expect(openShellPackage(bytesOf(zip), undefined)).rejects.toThrow(
      /^shell.sh does not set SHELL_PASS, and no shell password is configured for this appliance$/,
    );
  });

  test.each(['pass word', 'pass"word', "pass'word", 'pass$word'])(
    'a configured password that a script cannot carry, without repeating it: %s',
    async (password) => {
      expect(await refusal(await zipOf({ 'shell.sh': script }), password)).toBe(
        'the configured shell password contains a quote, backslash, $ or space, which is not safe in a script',
      );
    },
  );

  test('an encrypted file, with its name', async () => {
    const zip = await zipOf({ 'shell.sh': script, 'keys.txt': { content: 'keys', compress: false } });
    setFlag(zip, zip.lastIndexOf('PK\x01\x02') + 8);
    // The size of an encrypted file includes 12 extra bytes.
    zip.writeUInt32LE(16, zip.lastIndexOf('PK\x01\x02') + 20);
    expect(await refusal(zip)).toBe(
      'keys.txt in the package is encrypted, and the appliance can’t decrypt it',
    );
  });

  test('a file with an unusual compression', async () => {
    const zip = await zipOf({ 'shell.sh': script, 'data.txt': 'data' });
    zip.writeUInt16LE(14, zip.lastIndexOf('PK\x01\x02') + 10);
    expect(await refusal(zip)).toBe('data.txt in the package uses an unsupported compression method (14)');
  });

  test.each([
    ['xx/passwd', '../passwd', 'invalid relative path: ../passwd'],
    ['a/xx/passwd', 'a/../passwd', 'invalid relative path: a/../passwd'],
    ['xetc/passwd', '/etc/passwd', 'absolute path: /etc/passwd'],
    ['xx-passwd', '..\\passwd', 'invalid characters in fileName: ..\\passwd'],
  ])('a name that leads out of the package: %s as %s', async (written, name, why) => {
    const zip = await zipOf({ 'shell.sh': script, [written]: 'root' });
    const evil = Buffer.from(zip.toString('latin1').replaceAll(written, name), 'latin1');
    expect(await refusal(evil)).toBe(`couldn’t read the package (${why})`);
  });

  test('a file that is no zip', async () => {
    expect(await refusal(Buffer.from(script))).toMatch(/^check.zip is not a zip package \(.*\)$/);
  });

  test.each([1, 10, 60, 200])('a zip without its last %d bytes', async (missing) => {
    const zip = await zipOf({ 'shell.sh': script, 'data.txt': 'data' });
    expect(await refusal(zip.subarray(0, -missing))).toMatch(/^check.zip is not a zip package \(.*\)$/);
  });

  test('a zip without its beginning', async () => {
    const zip = await zipOf({ 'shell.sh': script, 'data.txt': 'data' });
    expect(await refusal(zip.subarray(50))).toMatch(
      /^(couldn’t read the package|couldn’t unpack shell.sh from the package) \(.*\)$/,
    );
  });

  test('a damaged script', async () => {
    const zip = await zipOf({ 'shell.sh': { content: script, compress: false } });
    zip.write('X', zip.indexOf('install'));
    expect(await refusal(zip)).toBe('shell.sh in the package is damaged');
  });

  test('more than 2 GiB after unpacking', async () => {
    const content = Buffer.alloc(1_000);
    const zip = await zipOf({ 'shell.sh': script, 'a.bin': { content }, 'b.bin': { content } });
    for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 1)) {
      if (zip.readUInt32LE(at + 24) === 1_000) zip.writeUInt32LE(1_500_000_000, at + 24);
    }
    expect(await refusal(zip)).toBe('check.zip is larger than 2 GiB when unpacked');
  });
});

describe('a file whose damage shows only while it is sent', () => {
  test.each([
    ['stored', false, 'data.txt in the package is damaged'],
    ['compressed', true, expect.stringMatching(/^couldn’t unpack data.txt from the package \(.+\)$/)],
  ])(
    '%s: it breaks the upload off, and does not arrive with a new checksum',
    async (_how, compress, sentence) => {
      const zip = await zipOf({ 'shell.sh': script, 'data.txt': { content: 'x'.repeat(100), compress } });
      const start =
        zip.lastIndexOf('PK\x03\x04') +
        30 +
        'data.txt'.length +
        zip.readUInt16LE(zip.lastIndexOf('PK\x03\x04') + 28);
      zip.fill(0, start, start + 5);
      const opened = await openShellPackage(bytesOf(zip), 'correct-horse');
      // Long enough to meet the damage before anybody reads or listens, which must have no effect.
      for (let number = 0; number < 20; number += 1) await turn();
      await expect(buffer(opened.pieces)).rejects.toMatchObject({ name: 'BadUpload', message: sentence });
      await opened.close();
    },
  );
});

describe('a stream', () => {
  const spooled = async () => {
    const [name = ''] = await readdir(folder);
    return join(folder, name, 'package.zip');
  };

  test('is copied to a file that nobody else can read, until it is closed', async () => {
    const zip = await zipOf({ 'shell.sh': script });
    const opened = await openShellPackage({ stream: slices(zip), name: 'check.zip' }, 'correct-horse');
    const path = await spooled();
    expect(await readFile(path)).toEqual(zip);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    await opened.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test.each<[string, () => AsyncIterable<Uint8Array>, number | undefined, RegExp]>([
    ['that is no zip', () => slices(Buffer.from('text')), undefined, /^check.zip is not a zip package/],
    [
      'that is shorter than said',
      () => slices(Buffer.from('text')),
      5,
      /^check.zip ended after 4 of 5 bytes$/,
    ],
    ['that breaks', failing, undefined, /^couldn’t save a temporary copy of check.zip \(EIO\)$/],
  ])('%s is refused and leaves nothing behind', async (_what, stream, size, sentence) => {
    const content = { stream: stream(), name: 'check.zip', ...(size === undefined ? {} : { size }) };
    await expect(openShellPackage(content, 'correct-horse')).rejects.toMatchObject({
      name: 'BadUpload',
      message: expect.stringMatching(sentence),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('that cannot be copied is refused without naming local paths', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'none'));
    const stream = new PassThrough();
    await expect(openShellPackage({ stream, name: 'check.zip' }, 'correct-horse')).rejects.toThrow(
      /^couldn’t save a temporary copy of check.zip \(ENOENT\)$/,
    );
    expect(stream.destroyed).toBe(true);
  });

  test.each(['before', 'while'])(
    'that is aborted %s it is read is closed, and leaves nothing behind',
    async (when) => {
      const stream = new PassThrough();
      stream.write('PK');
      const controller = new AbortController();
      if (when === 'before') controller.abort();
      const opening = openShellPackage({ stream, name: 'check.zip' }, 'correct-horse', controller.signal);
      const ended = expect(opening).rejects.toThrow();
      if (when === 'while') {
        await expect.poll(async () => (await stat(await spooled()).catch(() => undefined))?.size).toBe(2);
        controller.abort();
      }
      await ended;
      expect(stream.destroyed).toBe(true);
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

test.skipIf(process.platform !== 'linux')('a package that is closed midway leaves no file open', async () => {
  const path = join(folder, 'check.zip');
  await writeFile(
    path,
    await zipOf({
      'shell.sh': script,
      'large.bin': { content: Buffer.alloc(20_000_000), compress: false },
      'more.bin': { content: Buffer.alloc(20_000_000) },
    }),
  );
  for (const pieces of [0, 1, 400]) {
    const opened = await openShellPackage(path, 'correct-horse');
    expect(await openFiles()).toContain(path);
    const reader = opened.pieces[Symbol.asyncIterator]();
    for (let number = 0; number < pieces; number += 1) await reader.next();
    await opened.close();
    await expect.poll(openFiles).not.toContain(path);
  }
});

async function* slices(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += 1_000) yield bytes.subarray(start, start + 1_000);
}

async function* failing() {
  yield Buffer.from('PK');
  throw Object.assign(new Error('EIO: i/o error, read /mnt/share/check.zip'), { code: 'EIO' });
}

function setFlag(zip: Buffer, at: number): void {
  zip.writeUInt16LE(zip.readUInt16LE(at) | 1, at);
}

async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  return Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
}
