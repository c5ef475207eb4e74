import type { World } from '../world.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface Call {
  readonly world: World;
  readonly args: Arguments;
  /** The step whose token the app used in place of its own. */
  readonly step?: string | undefined;
}

/** A method of the Web API. Answers the fields beside `ok: true`; throws `Refusal` for `ok: false`. */
export type Answering = (
  call: Call,
) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;

export interface Method {
  readonly token: 'bot' | 'app' | 'none';
  /** Any one of these lets a bot token in; none are needed when empty. */
  readonly scopes: readonly string[];
  /** Calls a minute (slack-facts.md §4); undefined where Slack says "special". */
  readonly perMinute: number | undefined;
  readonly answer: Answering;
}
