import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { createTemplates, type Data, Failed } from './template.ts';

const folder = 'deploy/helm/appliance-bot';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** An object of Kubernetes, as it stands in YAML. */
export type Resource = ReturnType<typeof parse>;

export const defaults: Data = parse(read('values.yaml'));
export const valuesSchema: object = JSON.parse(read('values.schema.json'));

/** The output of `helm template bot` with these values beside the chart's own. */
export function render(values: Data): readonly Resource[] {
  const Values = merged(defaults, values);
  const chart: Readonly<Record<string, unknown>> = parse(read('Chart.yaml'));
  const Chart = { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion };
  const Release = { Name: 'bot', Namespace: 'chat', Service: 'Helm' };
  const { render } = createTemplates(read('templates/_helpers.tpl'), functions);
  render(read('templates/NOTES.txt'), { Values, Chart, Release });
  return globSync('templates/*.yaml', { cwd: folder })
    .sort()
    .map((name): Resource | null => parse(render(read(name), { Values, Chart, Release })))
    .filter((one) => one !== null);
}

function merged(one: Data, other: Data): Data {
  const isMap = (value: unknown): value is Data =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(other).map(([name, value]) => {
    const own = one[name];
    return [name, isMap(own) && isMap(value) ? merged(own, value) : value];
  });
  return { ...one, ...Object.fromEntries(entries) };
}

const isEmpty = (value: unknown) => !value || (typeof value === 'object' && Object.keys(value).length === 0);

/** The functions of Go and Sprig that our chart uses. */
const functions = {
  quote: (text: unknown) => JSON.stringify(String(text)),
  nindent: (spaces: number, text: string) =>
    `\n${text.replace(/\n$/, '').replace(/^(?=.)/gm, ' '.repeat(spaces))}`,
  toYaml: (value: unknown) => stringify(value).replace(/\n$/, ''),
  default: (otherwise: unknown, value: unknown) => (isEmpty(value) ? otherwise : value),
  printf: (format: string, ...args: readonly unknown[]) => {
    let at = 0;
    return format.replace(/%[sd]/g, () => String(args[at++]));
  },
  trunc: (length: number, text: string) => text.slice(0, length),
  trimSuffix: (end: string, text: string) => (text.endsWith(end) ? text.slice(0, -end.length) : text),
  contains: (part: string, text: string) => text.includes(part),
  and: (...all: readonly unknown[]) => all.find(isEmpty) ?? all.at(-1),
  or: (...all: readonly unknown[]) => all.find((one) => !isEmpty(one)) ?? all.at(-1),
  not: isEmpty,
  gt: (one: number, other: number) => one > other,
  int: Number,
  fail: (why: string) => {
    throw new Failed(why);
  },
};
