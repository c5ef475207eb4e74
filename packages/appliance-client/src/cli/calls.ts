import {
  areaTitles,
  argumentsIn,
  argumentsOf,
  type DescribedArgument,
  describedCombined,
  describedOperations,
} from '../../../../src/api/described.ts';
import type { Effect } from '../../../../src/api/endpoint.ts';

/** A call as it is typed: `appliance rdp disconnect-session 12`. */
export interface TypedCall {
  readonly area: string;
  readonly own: string;
  readonly word: string;
  readonly summary: string;
  readonly effect: Effect;
  readonly arguments: readonly DescribedArgument[];
  /** Further facts for the help: method, path, the first release. */
  readonly facts: string;
}

/** "disconnectSession" → "disconnect-session" */
export const inDashes = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const areas: readonly { readonly area: string; readonly title: string }[] = Object.entries(
  areaTitles,
).map(([area, title]) => ({ area, title }));

/** Every operation and every call made of several, from their declarations. */
export function typedCalls(): readonly TypedCall[] {
  const operations = describedOperations().map(({ area, name, endpoint }): TypedCall => {
    const { summary, effect, method, path, availableFrom } = endpoint;
    return {
      ...{ area, ...namesOf(area, name), summary, effect },
      // A listener argument makes no sense in a terminal.
      arguments: argumentsOf(endpoint).filter(({ type }) => !type.includes('=>')),
      facts: `${method} ${path}${availableFrom === undefined ? '' : `, from ${availableFrom}`}`,
    };
  });
  const combined = describedCombined().map(
    ({ area, name, summary, effect, takes }): TypedCall => ({
      ...{ area, ...namesOf(area, name), summary, effect },
      arguments: argumentsIn(takes),
      facts: 'made of several operations',
    }),
  );
  return inTypedWords([...operations, ...combined]);
}

/** Names other calls as they are typed: "as `rdp.listSessions` gives it". */
function inTypedWords(calls: readonly TypedCall[]): readonly TypedCall[] {
  const words = new Map(calls.map(({ area, own, word }) => [`${area}.${own}`, `${area} ${word}`]));
  const typed = (text: string, area: string) =>
    text.replaceAll(/`(?:(\w+)\.)?(\w+)`/g, (whole, other: string | undefined, own: string) => {
      const known = words.get(`${other ?? area}.${own}`);
      return known === undefined ? whole : `\`${known}\``;
    });
  return calls.map((call) => ({
    ...call,
    summary: typed(call.summary, call.area),
    arguments: call.arguments.map((one) => ({
      ...one,
      ...(one.description !== undefined && { description: typed(one.description, call.area) }),
    })),
  }));
}

function namesOf(area: string, name: string) {
  const own = name.slice(area.length + 1);
  return { own, word: inDashes(own) };
}
