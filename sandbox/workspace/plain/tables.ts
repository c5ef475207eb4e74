import { richText } from './rich-text.ts';
import type { Reading } from './text.ts';

type Part = Readonly<Record<string, unknown>>;
type Align = 'left' | 'center' | 'right';

/** A table or data_table with aligned columns and a line under its first row. */
export function tableLines(block: Part, reading: Reading): string[] {
  const rows = (block.rows as readonly (readonly Part[])[]).map((row) =>
    row.map((cell) => cellText(cell, reading)),
  );
  const settings = (block.column_settings ?? []) as readonly ({ readonly align?: Align } | null)[];
  const lines = alignedColumns(
    rows,
    settings.map((setting) => setting?.align ?? 'left'),
  );
  const [head = '', ...rest] = lines;
  const width = Math.max(...lines.map((line) => line.length));
  return [head, '─'.repeat(width), ...rest];
}

/** Pads cells so that columns stand under each other. */
function alignedColumns(rows: readonly (readonly string[])[], aligns: readonly Align[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, aligns[index]))
      .join('  ')
      .trimEnd(),
  );
}

/** A chart as what it shows: a share each for pies, a row per category otherwise. */
export function chartLines(chart: unknown): string[] {
  const { segments, series, axis_config } = chart as {
    readonly segments?: readonly { readonly label: string; readonly value: number }[];
    readonly series?: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config?: { readonly categories: readonly string[] };
  };
  if (segments !== undefined) {
    const rows = segments.map(({ label, value }) => [label, String(value)]);
    return alignedColumns(rows, ['left', 'right']);
  }
  const head = ['', ...(series ?? []).map(({ name }) => name)];
  const rows = (axis_config?.categories ?? []).map((category) => [
    category,
    ...(series ?? []).map(({ data }) => String(data.find(({ label }) => label === category)?.value ?? '')),
  ]);
  return alignedColumns(
    [head, ...rows],
    head.map((_, index) => (index === 0 ? 'left' : 'right')),
  );
}

function cellText(cell: Part, reading: Reading): string {
  return cell.type === 'rich_text' ? richText(cell, reading).join(' ') : String(cell.text ?? cell.value);
}

function pad(cell: string, width: number, align: Align = 'left'): string {
  if (align === 'right') return cell.padStart(width);
  if (align === 'center')
    return cell.padStart(cell.length + Math.floor((width - cell.length) / 2)).padEnd(width);
  return cell.padEnd(width);
}
