/**
 * Reads the text format of Prometheus as strictly as its specification is written
 * (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4), and with the rules that `promtool check metrics` and
 * https://prometheus.io/docs/practices/naming/ add to it. Written apart from what writes it.
 */

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** @throws Error with the line that breaks a rule */
export function readExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end');
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>();
  const closed = new Set<string>();
  const seen = new Set<string>();
  let current: string | undefined;

  /** All lines of one metric stand together, its description first. */
  const open = (name: string, line: string) => {
    if (current !== name) {
      if (closed.has(name) || families.has(name)) throw new Error(`In two places: ${line}`);
      if (current !== undefined) closed.add(current);
      current = name;
      families.set(name, { name, type: '', help: '', samples: [] });
    }
    const family = families.get(name);
    if (family === undefined) throw new Error(line);
    return family;
  };

  for (const line of text.split('\n').slice(0, -1)) {
    if (line.trim() === '') continue;
    if (line.startsWith('#')) {
      const [, word = '', name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
      if (word === '') throw new Error(`Neither HELP nor TYPE: ${line}`);
      if (!metricName.test(name)) throw new Error(`No name of a metric: ${line}`);
      const family = open(name, line);
      if (family.samples.length > 0) throw new Error(`After its samples: ${line}`);
      if (word === 'TYPE') {
        if (family.type !== '' || !types.includes(rest)) throw new Error(`No type, or a second one: ${line}`);
        family.type = rest;
      } else {
        if (family.help !== '') throw new Error(`A second help: ${line}`);
        family.help = unescaped(rest, /[\\n]/, line);
      }
      continue;
    }
    const sample = readSample(line);
    const name = familyOf(sample.name, current, families.get(current ?? '')?.type);
    if (!families.has(name)) throw new Error(`Of no type: ${line}`);
    open(name, line).samples.push(sample);
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()]);
    if (seen.has(key)) throw new Error(`Twice: ${line}`);
    seen.add(key);
  }
  for (const family of families.values()) check(family);
  return families;
}

/** The first letter of what is left is looked at each time. */
function readSample(line: string): Sample {
  const [name = ''] = /^[^{ ]*/.exec(line) ?? [];
  if (!metricName.test(name)) throw new Error(`No name of a metric: ${line}`);
  let rest = line.slice(name.length);
  const labels: Record<string, string> = {};
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    while (!rest.startsWith('}')) {
      const [whole, label = '', value = ''] =
        /^([^=]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|(?=\}))/.exec(rest) ?? [];
      if (whole === undefined || !labelName.test(label) || label in labels)
        throw new Error(`No label: ${line}`);
      labels[label] = unescaped(value, /[\\n"]/, line);
      rest = rest.slice(whole.length);
    }
    rest = rest.slice(1);
  }
  const [, value = ''] = /^ (\S+)$/.exec(rest) ?? [];
  return { name, labels, value: numberIn(value, line) };
}

function numberIn(text: string, line: string): number {
  if (text === 'NaN') return Number.NaN;
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  if (!number.test(text)) throw new Error(`No number: ${line}`);
  return Number(text);
}

const unescaped = (text: string, known: RegExp, line: string): string =>
  text.replace(/\\(.)/g, (_, letter: string) => {
    if (!known.test(letter)) throw new Error(`An escape that is none: ${line}`);
    return letter === 'n' ? '\n' : letter;
  });

const familyOf = (name: string, current: string | undefined, type: string | undefined): string =>
  current !== undefined &&
  type === 'histogram' &&
  ['_bucket', '_sum', '_count'].some((end) => name === `${current}${end}`)
    ? current
    : name;

function check({ name, type, help, samples }: Family): void {
  if (type === '') throw new Error(`${name} has no type`);
  if (help === '') throw new Error(`${name} has no help`);
  if (/[A-Z]/.test(name)) throw new Error(`${name} is not in snake_case`);
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name}, a ${type}, and _total`);
  if (/_(?:milliseconds|ms|minutes|hours|kilobytes|kb|mb|percent)(?:_|$)/.test(name))
    throw new Error(`${name} is not in a base unit`);
  if (type !== 'histogram' && /_(?:bucket|count|sum)$/.test(name))
    throw new Error(`${name} looks like part of a histogram`);
  for (const sample of samples) {
    if (type === 'counter' && !(sample.value >= 0)) throw new Error(`${sample.name} is below 0`);
    if (type !== 'histogram' && 'le' in sample.labels)
      throw new Error(`${name} has the label of a histogram`);
  }
  if (type === 'histogram') checkBuckets(name, samples);
}

/** Each series has buckets in growing order, with counts that grow, the last of them for all; a sum and a count. */
function checkBuckets(name: string, samples: readonly Sample[]): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...rest } }) =>
    JSON.stringify(Object.entries(rest).toSorted()),
  );
  for (const [key, all] of series) {
    const buckets = all.filter((one) => one.name === `${name}_bucket`);
    const edges = buckets.map(({ labels }) => numberIn(labels.le ?? '', `${name} ${key}`));
    const isGrowing = (values: readonly number[], isStrict: boolean) =>
      values.every((value, index) => {
        const before = values[index - 1] ?? Number.NEGATIVE_INFINITY;
        return isStrict ? value > before : value >= before;
      });
    if (!isGrowing(edges, true)) throw new Error(`${name} ${key}: edges ${edges}`);
    const counts = buckets.map(({ value }) => value);
    if (!isGrowing(counts, false)) throw new Error(`${name} ${key}: counts ${counts}`);
    const count = all.filter((one) => one.name === `${name}_count`);
    const sum = all.filter((one) => one.name === `${name}_sum`);
    if (edges.at(-1) !== Number.POSITIVE_INFINITY || count.length !== 1 || sum.length !== 1)
      throw new Error(`${name} ${key} is not whole`);
    if (count[0]?.value !== counts.at(-1)) throw new Error(`${name} ${key}: +Inf is not the count`);
  }
}

/** The value of one series; undefined where there is none. */
export function seriesOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  for (const { samples } of families.values()) {
    const found = samples.find(
      (one) =>
        one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    );
    if (found !== undefined) return found.value;
  }
  return undefined;
}
