import { type Accepted, accepted, type ReplyReader } from '../reading/reply.ts';

export interface PackUploaded extends Accepted {
  /** It was a zip, and the appliance says that it has installed it at once, with so many bytes, as a personal patch (field notes). */
  readonly patchBytes?: number;
}

/** "patch.zip [application/zip] installed personal patch with 2048 bytes". No name of a file that is sent has brackets. */
export const packUploaded: ReplyReader<PackUploaded> = {
  ...accepted,
  read(answer) {
    const bytes = /\] installed personal patch with (\d+) bytes\b/i.exec(answer.info)?.[1];
    return { ...accepted.read(answer), ...(bytes === undefined ? {} : { patchBytes: Number(bytes) }) };
  },
};
