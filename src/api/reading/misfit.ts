/** An answer that is JSON but cannot be understood; the client makes an `UnexpectedReply` of it. */
export class Misfit extends Error {
  /** The place in the answer, such as "Sessions.3.id"; '' for the answer as a whole. */
  readonly at: string;
  readonly problem: string;
  /** It was not looked through, because it holds more than `bounds.ts` allows. */
  readonly tooMuch: boolean;

  constructor(at: string, problem: string, tooMuch = false) {
    super(at === '' ? problem : `${at} ${problem}`);
    this.name = 'Misfit';
    this.at = at;
    this.problem = problem;
    this.tooMuch = tooMuch;
  }

  /** The same, seen from one step further out. */
  static under(place: string | number, error: unknown): unknown {
    if (!(error instanceof Misfit)) return error;
    return new Misfit(error.at === '' ? String(place) : `${place}.${error.at}`, error.problem, error.tooMuch);
  }
}
