import { createHash } from 'node:crypto';
import { isApplianceFailure, type UploadArguments } from '../../api/index.ts';
import { FileFailure, type OnAppliance } from '../context.ts';
import type { PostedFile } from '../lists/posted-file.ts';
import { say } from '../reply.ts';
import type { Fingerprint, Ran } from '../results.ts';
import { bytes } from '../wording/quantities.ts';

export interface AgreedFile {
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** `patchBytes`: the appliance confirmed that it installed this many. */
export type UploadCall = (
  given: UploadArguments,
) => Promise<{ readonly confirmed: boolean; readonly patchBytes?: number }>;

/**
 * Streams a file from the chat to the appliance, and checks its digest on the way. The last chunk is held back
 * until the digest matches; otherwise the upload is aborted. Only the confirmed file thus arrives whole.
 * Rejects with a `FileFailure` if the file failed, otherwise with the upload's failure.
 */
export async function sendFile(
  {
    args: { file },
    files,
    progress,
  }: Pick<OnAppliance<{ readonly file: PostedFile }>, 'args' | 'files' | 'progress'>,
  agreed: AgreedFile,
  upload: UploadCall,
): Promise<Ran> {
  const source = await files.open(file);
  const pieces = source[Symbol.asyncIterator]();
  let failure: FileFailure | undefined;
  const stream = checked(pieces, file.name, agreed, (found) => {
    failure = found;
  });
  try {
    const { confirmed, patchBytes } = await upload({
      file: { stream, name: file.name, size: agreed.size },
      onProgress: ({ sent, total = agreed.size }) =>
        progress(say`${bytes(sent)} of ${bytes(total)} of ${file.name} sent`),
    });
    return {
      confirmed,
      learned: { uploaded: confirmed, ...(patchBytes === undefined ? {} : { patchBytes }) },
    };
  } catch (error) {
    // The appliance received only part of a form, so the file was never whole.
    if (failure !== undefined && isApplianceFailure(error)) throw failure;
    throw error;
  } finally {
    // Perhaps nobody has begun to read it.
    await pieces.return?.();
  }
}

async function* checked(
  pieces: AsyncIterator<Uint8Array>,
  name: string,
  { size, sha256 }: AgreedFile,
  failed: (failure: FileFailure) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let seen = 0;
  let last: Uint8Array | undefined;
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      hash.update(next.value);
      seen += next.value.length;
      if (last !== undefined) yield last;
      last = next.value;
    }
    if (seen !== size || hash.digest('hex') !== sha256) {
      throw new FileFailure(
        'changed',
        `${name} is no longer the file shown in the preview (its SHA-256 differs). The upload was aborted.`,
      );
    }
  } catch (error) {
    if (error instanceof FileFailure) failed(error);
    throw error;
  }
  if (last !== undefined) yield last;
}

export const agreedIn = ({ size, sha256 }: Fingerprint): AgreedFile => ({
  size: Number(size),
  sha256: String(sha256),
});
