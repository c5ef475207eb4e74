/**
 * A rule of the bot, broken by one edit of its source. The tests of the whole bot that are named with it must fail then: if none
 * does, nothing holds the rule when the inside of the bot is written anew.
 */
export interface Breakage {
  readonly name: string;
  /** In one sentence, as people experience it. */
  readonly rule: string;
  /** Whoever moves the code points the edits there; the rule stays. */
  readonly edits: readonly Edit[];
  /** Each of these must fail. */
  readonly seenBy: readonly NamedTest[];
}

export interface Edit {
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly put: string;
}

export interface NamedTest {
  readonly file: string;
  /** Words of the test's name, as they are written in its file. */
  readonly test: string;
}
