import type { Effect, Endpoint } from './endpoint.ts';
import type * as areas from './endpoints/index.ts';
import { BadArgument } from './errors.ts';

export interface CallOptions {
  /** Aborts the call. The error's `sent` then shows whether it may have happened. */
  readonly signal?: AbortSignal | undefined;
}

/** An operation as it is called: its arguments, if it takes any, then the options. */
export type Call<E> =
  E extends Endpoint<infer Given, infer Value>
    ? keyof Given extends never
      ? (options?: CallOptions) => Promise<Value>
      : object extends Given
        ? (given?: Given, options?: CallOptions) => Promise<Value>
        : (given: Given, options?: CallOptions) => Promise<Value>
    : never;

type Areas = typeof areas;

export type Bound<Does extends Effect = Effect> = {
  readonly [Area in keyof Areas]: {
    readonly [Name in keyof Areas[Area] as Areas[Area][Name] extends { readonly effect: Does }
      ? Name
      : never]: Call<Areas[Area][Name]>;
  };
};

export type GivenArguments = Readonly<Record<string, unknown>>;

/** Callers without a compiler may pass anything; they also get an `ApplianceFailure`. */
export function checkGiven(operation: string, given: unknown): GivenArguments {
  if (given === undefined) return {};
  if (typeof given === 'object' && given !== null) return { ...given };
  throw new BadArgument('', 'list is not an object', { operation });
}

export function checkOptions(operation: string, options: unknown): CallOptions {
  const { signal, ...others } = checkGiven(operation, options ?? undefined);
  const [slip] = Object.keys(others);
  if (slip !== undefined) throw new BadArgument(slip, 'is not an option of a call', { operation });
  if (signal === undefined) return {};
  if (signal instanceof AbortSignal) return { signal };
  throw new BadArgument('signal', 'is not an AbortSignal', { operation });
}
