import { promisify } from 'node:util';
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';

/**
 * Answers that come compressed, although every request asks for them as they are: some servers, and proxies in between, do
 * so all the same (field notes).
 */

/** What was compressed is not as it should be, is compressed in an unknown way, or is larger than what is read. */
export class Undecodable extends Error {
  readonly reason: string;
  readonly isTooLarge: boolean;

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Undecodable';
    this.reason = reason;
    this.isTooLarge = reason === 'ERR_BUFFER_TOO_LARGE';
  }
}

type Decoder = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const unzipped: Decoder = promisify(gunzip);
const inflated: Decoder = promisify(inflate);
const inflatedRaw: Decoder = promisify(inflateRaw);
const unbrotlied: Decoder = promisify(brotliDecompress);

/** By RFC 9110, "deflate" has a header of its own, which some servers leave out. */
const deflated: Decoder = (bytes, options) =>
  (Buffer.isBuffer(bytes) && ((bytes[0] ?? 0) & 0x0f) === 8 ? inflated : inflatedRaw)(bytes, options);

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', unzipped],
  ['x-gzip', unzipped],
  ['deflate', deflated],
  ['br', unbrotlied],
]);

/** More on top of each other are an attack. */
const mostEncodings = 3;

/**
 * The bytes as they were before they were compressed, and no more of them than that many.
 * @param encoding the header `content-encoding`, '' where there is none
 * @throws Undecodable
 */
export async function decoded(bytes: Buffer, encoding: string, most: number): Promise<Buffer> {
  const named = encoding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');
  // No text that is an answer begins with these two bytes.
  const isUnnamed = named.length === 0 && bytes[0] === 0x1f && bytes[1] === 0x8b;
  const chain = isUnnamed ? ['gzip'] : named.toReversed();
  if (bytes.length === 0 || chain.length === 0) return bytes;
  if (chain.length > mostEncodings) throw new Undecodable('TOO_MANY_ENCODINGS');
  let plain = bytes;
  for (const one of chain) {
    const decode = decoders.get(one);
    if (decode === undefined) throw new Undecodable('UNKNOWN_ENCODING');
    try {
      plain = await decode(plain, { maxOutputLength: most });
    } catch (error) {
      throw new Undecodable(
        error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN',
        error,
      );
    }
  }
  return plain;
}
