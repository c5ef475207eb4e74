import type { Block, KnownBlock } from '@slack/types';
import type { Chart, Part, Text } from '../../handlers/reply.ts';
import { aligned } from '../../handlers/wording/aligned.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { limits } from './slack-limits.ts';
import { clean, plainLabel } from './slack-text.ts';

/** Newer than Slack's own types (slack-facts.md §3). */
interface DataVisualizationBlock extends Block {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: unknown;
}

/**
 * Whether Slack draws it: within its numbers of points and series, and without gaps. Otherwise it becomes a
 * table.
 */
export function isDrawable({ labels, series }: Chart): boolean {
  const { points, series: most } = limits.chart;
  return (
    labels.length > 0 &&
    labels.length <= points &&
    series.length > 0 &&
    series.length <= most &&
    series.every(({ values }) => labels.every((_, index) => Number.isFinite(values[index])))
  );
}

export function chartBlock({ style, title, unit, labels, series }: Chart): KnownBlock {
  const { title: titleLength, name: nameLength, axis } = limits.chart;
  const categories = unlike(labels, nameLength);
  const names = unlike(
    series.map(({ name }) => name),
    nameLength,
  );
  const block: DataVisualizationBlock = {
    type: 'data_visualization',
    title: plainLabel(title, titleLength),
    chart: {
      type: style,
      series: series.map(({ values }, number) => ({
        name: names[number],
        data: categories.map((label, index) => ({ label, value: values[index] })),
      })),
      axis_config: { categories, y_label: plainLabel(unit, axis) },
    },
  };
  // A cast, because the types of `KnownBlock` lack it; tests check it against Slack's rules.
  return block as unknown as KnownBlock;
}

/** The chart in fixed width: a bar and a number for each label, series below series. */
export function chartLines({ title, unit, labels, series }: Chart): string {
  const most = Math.max(...series.flatMap(({ values }) => values.map(Math.abs)));
  const bar = (value: number): string => {
    if (value === 0 || most === 0) return '';
    return '█'.repeat(Math.max(1, Math.round((Math.abs(value) / most) * barLength)));
  };
  const blocks = series.map(({ name, values }) => {
    const lines = labels.map((label, index) => {
      const value = values[index] ?? 0;
      return [clean(label), bar(value).padEnd(barLength), number(value)];
    });
    const heading = series.length === 1 ? [] : [clean(name)];
    return [...heading, ...aligned(lines)].join('\n');
  });
  return [clean(`${title} (${unit})`), ...blocks].join('\n\n');
}

/** The numbers of a chart that cannot be drawn. */
export function chartTable({ title, unit, labels, series }: Chart): Extract<Part, { kind: 'table' }> {
  return {
    kind: 'table',
    columns: [title, ...series.map(({ name }) => (series.length === 1 ? unit : `${name} (${unit})`))],
    rows: labels.map((label, index) => [
      [label],
      ...series.map(({ values }): Text => {
        const value = values[index];
        return [value !== undefined && Number.isFinite(value) ? number(value) : 'not reported'];
      }),
    ]),
  };
}

const barLength = 24;

/** Slack requires unique names, so equal ones after cutting are numbered. */
function unlike(names: readonly string[], length: number): readonly string[] {
  const taken = new Set<string>();
  for (const name of names) {
    let shown = plainLabel(name, length);
    for (let count = 2; taken.has(shown); count += 1) {
      const mark = ` ${count}`;
      shown = `${plainLabel(name, length - mark.length)}${mark}`;
    }
    taken.add(shown);
  }
  return [...taken];
}
