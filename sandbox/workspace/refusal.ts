/** Slack saying no: becomes `{ ok: false, error, … }` of a Web API answer. `error` is one of Slack's own codes. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly error: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(error: string, details: Readonly<Record<string, unknown>> = {}) {
    super(error);
    this.error = error;
    this.details = details;
  }
}

/** A refusal with Slack's pointers to the places that are wrong, such as `must be … [json-pointer:/blocks/0/text]`. */
export function refuseWith(error: string, problems: readonly string[]): Refusal {
  return new Refusal(error, {
    errors: problems,
    response_metadata: { messages: problems.map((problem) => `[ERROR] ${problem}`) },
  });
}
