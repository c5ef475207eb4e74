import { Aborted, BadArgument } from '../errors.ts';
import type { UploadBody } from '../wire/body.ts';
import { BadUpload } from './bad-upload.ts';
import { openContent, type UploadContent } from './content.ts';
import { type Multipart, multipart, type UploadProgress } from './multipart.ts';
import type { ShellPackage } from './shell-package.ts';

/** What an upload is given beside the arguments of its path. */
export interface UploadArguments {
  /** The path of a file, a stream, or bytes. Up to 2 GiB; never held in memory as a whole. */
  readonly file: UploadContent;
  /** Told how many bytes of the file have been taken, about once in 64 KiB. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface OpenedFile extends Multipart {
  /** What must not be quoted back: the shell password that is in it. */
  readonly secrets: readonly string[];
  /** Closes the file, whether or not any of it was sent. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the file of an upload and makes its body.
 * @param signal gives up on a stream that must be taken in before it can be sent
 * @throws BadArgument when it cannot be uploaded, Aborted when the signal was first
 */
export async function openFile(
  operation: string,
  { field, kind }: Pick<UploadBody, 'field' | 'kind'>,
  { file, onProgress }: UploadArguments,
  shellPassword: string | undefined,
  signal?: AbortSignal,
): Promise<OpenedFile> {
  try {
    const isPackage = kind === 'shell package';
    const { secrets, ...content } = isPackage
      ? await openPackage(file, shellPassword, signal)
      : { ...(await openContent(file)), secrets: [] };
    return { ...multipart(content, field, onProgress), secrets, close: content.close };
  } catch (error) {
    if (signal?.aborted) throw new Aborted({ operation, sent: 'no' });
    if (error instanceof BadUpload) {
      throw new BadArgument('file', `cannot be uploaded: ${error.message}`, { operation });
    }
    throw new BadArgument('file', 'cannot be uploaded: it could not be opened', { operation, cause: error });
  }
}

/** Loaded when it is needed: few processes ever upload a package. */
async function openPackage(
  file: UploadContent,
  shellPassword: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ShellPackage> {
  const { openShellPackage } = await import('./shell-package.ts');
  return openShellPackage(file, shellPassword, signal);
}
