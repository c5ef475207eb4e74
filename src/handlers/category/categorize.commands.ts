import { type ApplianceFailure, type Categorization, isApplianceFailure } from '../../api/index.ts';
import { domain } from '../argument.ts';
import type { AskingAppliance } from '../context.ts';
import { lookup } from '../declare.ts';
import { showDomain } from '../language/domain.ts';
import {
  code,
  enumerate,
  type Part,
  paragraph,
  plural,
  type Reply,
  say,
  strong,
  type Text,
  tableOf,
} from '../reply.ts';
import { reasonOf } from '../wording/reason.ts';
import { responsePolicy, tellsNone } from './sites.ts';

type Appliance = AskingAppliance<unknown>['appliance'];

interface Found {
  readonly domain: string;
  readonly answer: Categorization | ApplianceFailure;
}

export const categorize = lookup({
  phrase: 'categorize <domain>…',
  says: `
    which category is <domain> / category of <domain> / what category <domain> / lookup <domain> /
    classify <domain> / in which category is <domain> / how is <domain> categorized /
    what kind of site is <domain> / is <domain> gambling / website category <domain> /
    check category <domain> / category for <domain> / what is <domain> / what kind of website is <domain> /
    which categories has <domain> / is <domain> social media / is <domain> shopping / is <domain> adult /
    is <domain> in a category / is <domain> categorized / is <domain> uncategorized /
    under what is <domain> filed / how do we classify <domain> / kategorie von <domain> /
    is <domain> a streaming site / is <domain> malware / is <domain> safe / cats of <domain> /
    is <domain> known to us / do we know <domain> / have we <domain> in any list /
    where is <domain> listed / what is <domain> for / what does our list say about <domain> /
    which category does <domain> belong to / what category does <domain> belong to /
    which list is <domain> on / what is <domain> filed under / how is <domain> classified
  `,
  also: ['category of <domain>…', 'what category is <domain>…', 'lookup <domain>…'],
  // Each domain costs one request and one row.
  args: { domain: { ...domain, most: 50 } },
  summary: 'Show the web-filtering categories of a domain',
  example: 'categorize example.com',
  answer: async ({ appliance, args }) => {
    // The client limits how many of these run in parallel.
    const found = await Promise.all(args.domain.map((name) => query(appliance, name)));
    const failures = found.flatMap(({ answer }) => (isApplianceFailure(answer) ? [answer] : []));
    const [failure] = failures;
    if (failure !== undefined && failures.length === found.length) throw failure;
    const [only] = found;
    return only !== undefined && found.length === 1 && !isApplianceFailure(only.answer)
      ? answerFor(only.domain, only.answer, appliance.name)
      : { headline: summary(found), details: overview(found) };
  },
});

/** A failure becomes an answer, so that it does not hide the others. */
async function query(appliance: Appliance, name: string): Promise<Found> {
  const answer = await appliance.categories.query({ domain: name }).catch((error: unknown) => {
    if (isApplianceFailure(error)) return error;
    throw error;
  });
  return { domain: name, answer };
}

/** *example.com is in 1 category: shopping* */
function answerFor(name: string, { categories, info }: Categorization, appliance: string): Reply {
  const shown = strong(showDomain(name));
  if (categories.length === 0) {
    return {
      headline: tellsNone(categories)
        ? say`${shown} is not categorized`
        : say`${strong(appliance)} lists no category of ${shown}, and does not say that there is none`,
      details: info === '' ? [] : [paragraph`${strong(appliance)} replied: ${code(info)}`],
    };
  }
  const names = enumerate(categories.map((category) => strong(category.name)));
  return {
    headline: say`${shown} is in ${plural(categories.length, 'category', 'categories')}: ${names}`,
    details: tableOf(categories, {
      Category: (one) => one.name,
      ID: ({ id }) => id,
      'DNS firewall': responsePolicy,
    }),
  };
}

function summary(found: readonly Found[]): Text {
  const answers = found.flatMap(({ answer }) => (isApplianceFailure(answer) ? [] : [answer]));
  const categorized = answers.filter(({ categories }) => categories.length > 0).length;
  const unasked = found.length - answers.length;
  return unasked === 0
    ? say`${categorized} of ${plural(found.length, 'domain')} categorized`
    : say`${categorized} of ${plural(found.length, 'domain')} categorized, ${unasked} could not be asked`;
}

const overview = (found: readonly Found[]): readonly Part[] =>
  tableOf(found, {
    Domain: ({ domain: name }) => showDomain(name),
    Categories: ({ answer }) => categoriesOf(answer),
  });

function categoriesOf(answer: Found['answer']): Text {
  if (isApplianceFailure(answer)) return say`could not be asked: ${reasonOf(answer)}`;
  return answer.categories.length === 0
    ? say`${tellsNone(answer.categories) ? 'not categorized' : 'none listed'}`
    : enumerate(answer.categories.map(({ name, id }) => `${name} (${id})`));
}
