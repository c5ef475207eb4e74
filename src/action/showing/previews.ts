import type { AnyChange } from '../../handlers/command.ts';
import { type Field, plainText, plural, type Span, say, strong, type Text } from '../../handlers/reply.ts';
import { argsOf, argsToStore, type Shown, type Target } from '../base/stored.ts';
import { reasonOf, type TargetPreview } from '../target/target.ts';
import type { Fault } from '../wording/faults.ts';

type Ready = Extract<TargetPreview, { kind: 'ready' }>;

/**
 * What a person is shown of a change before it runs: on one appliance its own preview, on several every one of them.
 * @param before what was left alone when it was looked at before
 */
export function showLooks(
  command: AnyChange,
  looks: readonly TargetPreview[],
  before: readonly Field[] = [],
): Shown | undefined {
  const ready = looks.filter((one): one is Ready => one.kind === 'ready');
  const [only] = ready;
  if (only === undefined) return undefined;
  const targets = ready.map(({ resolved, preview }) => ({
    appliance: resolved.appliance.name,
    args: argsToStore(command, resolved.args),
    fingerprint: preview.fingerprint,
  }));
  if (looks.length + before.length === 1)
    return { question: only.preview.question, fields: only.preview.fields, targets };
  const left = [
    ...before,
    ...looks.flatMap((one) => (one.kind === 'ready' ? [] : [leftAlone(one.appliance, one.fault)])),
  ];
  const leaving = left.length === 0 ? '' : ` ${plural(left.length, 'other is', 'others are')} skipped.`;
  const { question, bare, own, shared } = compared(command, ready);
  return {
    question: say`${question}${leaving}`,
    fields: [
      ...bare,
      ...fitting(
        [...own, ...left],
        new Set(targets.map(({ appliance }) => appliance)),
        room - lengthOf([...bare, ...shared]),
      ),
      ...shared,
    ],
    targets,
    ...(left.length > 0 && { left }),
  };
}

export const leftAlone = (appliance: string, fault: Fault): Field => ({
  name: appliance,
  value: say`skipped: ${reasonOf(fault)}`,
});

/** What is asked of all, what stands on each appliance of its own, and what is the same on every one. */
function compared(command: AnyChange, ready: readonly Ready[]) {
  const where = strong(whereOf(ready));
  const looked = ready.map((one) => {
    // Only where it is the appliance that is meant: nothing else of the command's is called like it on each of them.
    const general = (text: Text) => text.map((span) => (isNameOf(one, span) ? where : span));
    return {
      appliance: one.resolved.appliance.name,
      question: general(one.preview.question),
      asked: one.preview.question,
      fields: one.preview.fields.map(({ name, value }) => ({ name, value, general: general(value) })),
    };
  });
  const [first, ...others] = looked;
  if (first === undefined) throw new Error('A change is shown of at least one appliance');
  const isSame = others.every(({ question }) => same(question, first.question));
  const shared = first.fields.filter(({ name, general }) =>
    others.every(({ fields }) => fields.some((other) => other.name === name && same(other.general, general))),
  );
  const each = ready.map(({ resolved: { args }, preview: { fingerprint } }) => ({ args, fingerprint }));
  const doing = isSame ? undefined : doingOnAll(command, each);
  const isTold = isSame || (doing !== undefined && looked.every(tellsBelow(inAll(looked))));
  const own = looked.map(({ appliance, asked, fields }) => ({
    name: appliance,
    value: inOneLine(
      isTold ? [] : asked,
      fields.filter(
        ({ name, general }) => !shared.some((one) => one.name === name && same(one.general, general)),
      ),
    ),
  }));
  const bare = own.filter(({ value }) => value.length === 0).map(({ name }) => name);
  return {
    question: isSame
      ? askedOf(first.question, where)
      : doing === undefined
        ? say`${strong(command.verb)} on ${where}?`
        : say`${doing} on ${where}: go ahead?`,
    // Those of which there is nothing of their own to say stand in one line; a single one is in the question.
    bare: bare.length === 0 || others.length === 0 ? [] : [{ name: 'On', value: say`${bare.join(', ')}` }],
    own: own.filter(({ value }) => value.length > 0),
    shared: shared.map(({ name, general }) => ({ name, value: general })),
  };
}

const whereOf = (ready: readonly Ready[]): string => {
  const [only, ...others] = ready;
  return only !== undefined && others.length === 0
    ? only.resolved.appliance.name
    : plural(ready.length, 'appliance');
};

const isNameOf = ({ resolved }: Ready, span: Span): boolean =>
  typeof span !== 'string' && span.kind === 'strong' && span.text === resolved.appliance.name;

const same = (one: Text, other: Text): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The command's own question, which may not say where. */
const askedOf = (question: Text, where: Span): Text =>
  question.some((span) => same([span], [where])) ? question : say`On ${where}: ${question}`;

/**
 * What is done on each of several: "Disconnecting session 12 of bob.miller" where that is its name on all of them, or else
 * "Disconnecting session 12"; undefined where that differs, too.
 */
export const doingOnAll = (
  { doing }: AnyChange,
  all: readonly Pick<Target, 'args' | 'fingerprint'>[],
): Text | undefined =>
  inCommon(all.map((one) => doing(argsOf(one), one.fingerprint))) ??
  inCommon(all.map((one) => doing(argsOf(one), {})));

const inCommon = ([first, ...others]: readonly Text[]): Text | undefined =>
  first !== undefined && others.every((other) => same(other, first)) ? first : undefined;

/** The pieces, as JSON, that every one of the questions has. */
const inAll = (looked: readonly { readonly question: Text }[]): ReadonlySet<string> =>
  looked
    .map(({ question }) => new Set(question.map((span) => JSON.stringify(span))))
    .reduce((known, own) => known.intersection(own));

/** Whether all that an appliance's question has of its own, such as whose session it is, stands in its fields anyway. */
const tellsBelow =
  (known: ReadonlySet<string>) =>
  ({ question, fields }: { readonly question: Text; readonly fields: readonly Field[] }): boolean => {
    const values = fields.map(({ value }) => plainText(value));
    return question
      .filter((span) => !known.has(JSON.stringify(span)))
      .every((span) => values.includes(plainText([span])));
  };

/** Characters of the details: a message has room for some 10,000 in all, and every name must stand in it. */
const room = 5_000;

/** As many in detail as have room, and the others at least by name: nobody agrees to what a message had no room for. */
function fitting(fields: readonly Field[], hit: ReadonlySet<string>, free: number): readonly Field[] {
  let used = 0;
  const detailed = fields.filter((one) => {
    used += lengthOf([one]);
    return used <= free;
  });
  const others = fields.slice(detailed.length).map(({ name }) => name);
  const named = (title: string, names: readonly string[]): readonly Field[] =>
    names.length === 0 ? [] : [{ name: `${title} ${names.length} more`, value: say`${names.join(', ')}` }];
  return [
    ...detailed,
    ...named(
      'On',
      others.filter((name) => hit.has(name)),
    ),
    ...named(
      'Left alone:',
      others.filter((name) => !hit.has(name)),
    ),
  ];
}

const lengthOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, { name, value }) => sum + name.length + plainText(value).length, 0);

/** The question, if it is the appliance's own, and what it rests on. */
export function inOneLine(question: Text, fields: readonly Field[]): Text {
  return [
    ...question,
    ...notSaidIn(question, fields).flatMap(({ name, value }, index) => [
      index > 0 ? '; ' : question.length > 0 ? ' ' : '',
      `${name}: `,
      ...value,
    ]),
  ].filter((span) => span !== '');
}

/** Fields without those whose value stands word for word in what is said above them. A number stays: alone it does not say of what. */
export const notSaidIn = (said: Text, fields: readonly Field[]): readonly Field[] => {
  const words = ` ${asWords(said)} `;
  return fields.filter(
    ({ value }) => !/\p{L}/u.test(plainText(value)) || !words.includes(` ${asWords(value)} `),
  );
};

/** As words of their own, whatever stands behind them: 3 is not said in 23. */
const asWords = (text: Text): string => plainText(text).replace(/[.,:;?!](?= |$)/g, '');
