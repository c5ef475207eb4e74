import { type Conditions, limiting, type Rule } from '../../auth/rule.ts';
import { code, elapsed, enumerate, plainText, say, strong, type Text } from '../../handlers/reply.ts';

/** The words of each condition of a rule, as they follow the command: *with category 252 on branch*. */
const words: { readonly [Name in keyof Conditions]: (wanted: Conditions[Name]) => Text } = {
  phrase: () => [],
  area: (area) => say`of ${code(area)}`,
  effect: (effect) => say`with the effect ${code(effect)}`,
  where: (where) =>
    say`with ${enumerate(
      Object.entries(where).map(
        ([name, values]) =>
          say`${name} ${enumerate(
            values.map((value) => code(String(value))),
            'or',
          )}`,
      ),
    )}`,
  above: (count) => say`with more than ${count.toLocaleString('en')} at once`,
  most: (count) => say`with at most ${count.toLocaleString('en')} at once`,
  appliance: (name) => say`on ${strong(name)}`,
  tag: (tag) => say`on appliances tagged ${strong(tag)}`,
  temporary: ({ longest }) =>
    longest === undefined ? say`temporarily` : say`temporarily, for at most ${elapsed(longest)}`,
};

const all = Object.keys(words) as readonly (keyof Rule)[];

/** `rdp disconnect with category 252`, `everything of acl with the effect read`: what rules cover. */
export const rulesInWords = (rules: readonly Rule[]): Text => enumerate(rules.map(ruleInWords));

function ruleInWords(rule: Rule): Text {
  const what = rule.phrase === undefined ? say`everything` : say`${code(rule.phrase)}`;
  return inARow([what, ...stated(rule, all)]);
}

/** *with category 252 or 253 on branch or on appliances tagged prod*: what rules are limited to. */
export const limitsInWords = (limits: readonly Rule[]): Text => {
  const ways = limits.map((rule) => inARow(stated(rule, limiting)));
  return enumerate([...new Map(ways.map((way) => [plainText(way), way])).values()], 'or');
};

const stated = (rule: Rule, names: readonly (keyof Rule)[]): readonly Text[] =>
  names.map((name) => wordsOf(rule, name)).filter((text) => text.length > 0);

function wordsOf<Name extends keyof Conditions>(rule: Rule, name: Name): Text {
  const wanted = rule[name];
  return wanted === undefined ? [] : words[name](wanted);
}

const inARow = (parts: readonly Text[]): Text =>
  parts.flatMap((part, index) => (index === 0 ? part : [' ', ...part]));
