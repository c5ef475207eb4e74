import { Aborted, BadArgument } from '../errors.ts';
import type { UploadBody } from '../wire/body.ts';
import { BadUpload, openContent, type UploadContent } from './content.ts';
import { type Multipart, multipart, type UploadProgress } from './multipart.ts';
import type { ShellPackage } from './shell-package.ts';

export interface UploadArguments {
  /** The path of a file, a stream, or bytes. Up to 2 GiB; never completely in memory. */
  readonly file: UploadContent;
  /** Called with the bytes taken so far, about once in 64 KiB. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface OpenedFile extends Multipart {
  /** Secrets in the file that must not be repeated: the shell password. */
  readonly secrets: readonly string[];
  /** Closes the file, even if none of it was sent. */
  readonly close: () => Promise<void>;
}

/**
 * Opens an upload's file and makes its body.
 * @param signal aborts reading a stream that must be complete before it is sent
 * @throws BadArgument for an unusable file, Aborted if the signal came first
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

/** Loaded on demand: few processes ever upload a package. */
async function openPackage(
  file: UploadContent,
  shellPassword: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ShellPackage> {
  const { openShellPackage } = await import('./shell-package.ts');
  return openShellPackage(file, shellPassword, signal);
}
