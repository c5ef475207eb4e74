/** The journal's database cannot be written to or read from now; it may come back. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable';

  constructor(cause: unknown) {
    super('The journal cannot be reached', { cause });
  }
}
