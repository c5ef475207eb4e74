import type { Accepted, Appliance } from '../api/index.ts';
import { isNamed, type Named } from './argument.ts';
import { enumerate, say, type Text } from './reply.ts';

/**
 * Parts to compile before a change is live: the ACLs (appliance-api.md §4.1), one personal category, and the
 * filtering rules that use the categories (§4.3). The API cannot change SSL rules; `ssl build` compiles them.
 */
export type Applied = 'acl' | `category:${number}` | 'filter';

/** The parts to compile after a change of a category's sites, in this order. */
export const afterSites = (category: number): readonly Applied[] => [`category:${category}`, 'filter'];

/** @throws ApplianceFailure */
export function compile(appliance: Appliance, what: Applied): Promise<Accepted> {
  if (what === 'acl') return appliance.acl.compile();
  if (what === 'filter') return appliance.categories.compileRules();
  return appliance.categories.compile({ id: categoryOf(what) });
}

/**
 * The appliance's answer to a compile. It proves nothing: some appliances answer before they work, and some
 * with nothing at all (field notes). `compiled`: the appliance says that it has finished.
 */
export type CompileAnswer = 'compiled' | 'accepted' | 'launched' | 'unconfirmed';

export function answerOf({ confirmed, launched, info }: Accepted): CompileAnswer {
  if (launched) return 'launched';
  if (!confirmed) return 'unconfirmed';
  return saysDone.test(info) && !saysLater.test(info) ? 'compiled' : 'accepted';
}

const saysDone = /\b(?:compiled|applied|activated|in production|in force)\b/i;
const saysLater = /\b(?:will|soon|queued|scheduled|being|shortly|later|not|waiting)\b/i;

/** A part to compile, with the name of its category if that is known. */
export interface NamedApplied {
  readonly what: Applied;
  readonly name?: string | undefined;
}

/** "the ACLs", "category shopping", "the filtering rules" */
export function nameOfApplied({ what, name }: NamedApplied): Text {
  if (what === 'acl') return say`the ACLs`;
  if (what === 'filter') return say`the filtering rules`;
  return say`category ${name ?? categoryOf(what)}`;
}

/** The command line that compiles it by hand. */
export const lineOfCompile = (what: Applied): string =>
  what === 'acl' || what === 'filter' ? `${what} compile` : `category compile ${categoryOf(what)}`;

export const namesOfApplied = (all: readonly NamedApplied[]): Text =>
  enumerate(
    inOrder(all.map(({ what }) => what)).map((what) =>
      nameOfApplied(all.find((one) => one.what === what && one.name !== undefined) ?? { what }),
    ),
  );

/** Takes the name of the category from the arguments of the change. */
export function namedIn(what: Applied, args: Readonly<Record<string, unknown>>): NamedApplied {
  if (what === 'acl' || what === 'filter') return { what };
  const found = Object.values(args).find(
    (value): value is Named => isNamed(value) && value.id === categoryOf(what) && value.name !== '',
  );
  return { what, name: found?.name };
}

/** The filtering rules come last, because they use the compiled categories. */
export const inOrder = (pending: readonly Applied[]): readonly Applied[] => {
  const distinct = [...new Set(pending)];
  return [...distinct.filter((what) => what !== 'filter'), ...distinct.filter((what) => what === 'filter')];
};

const categoryOf = (what: `category:${number}`): number => Number(what.slice('category:'.length));
