/** A file that cannot be uploaded as it is. The message is one plain sentence for whoever made the file. */
export class BadUpload extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'BadUpload';
  }
}
