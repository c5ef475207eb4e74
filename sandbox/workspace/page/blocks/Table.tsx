import { type RefObject, useEffect, useRef, useState } from 'react';
import { Read } from './Draw.tsx';
import type { RichText } from './mrkdwn.ts';
import { hasSymbol } from './symbols.ts';

/** A cell of a `table` or `data_table`: raw text, a number, or rich text. */
interface Cell {
  readonly text?: string;
  readonly value?: number;
  readonly elements?: readonly RichText[];
}

interface Column {
  readonly align?: 'left' | 'center' | 'right';
  readonly is_wrapped?: boolean;
}

export type Rows = readonly (readonly Cell[])[];

export type Columns = readonly (Column | null)[] | undefined;

interface Props {
  /** Shown above the table; one without it is named after its columns, for those who hear it. */
  readonly caption?: string;
  /** The first one is the head. */
  readonly rows: Rows;
  readonly columns?: Columns;
  /** Which column names what its row is about. */
  readonly rowHeader?: number | undefined;
}

/** A column that wraps keeps room for so many letters, where it has as many; beyond that the table scrolls in its frame. */
const leastWidth = 11;

/** The number of tables so far, because two frames need different names. */
let drawn = 0;

export function Table({ caption, rows, columns = [], rowHeader }: Props) {
  const [number] = useState(() => {
    drawn += 1;
    return drawn;
  });
  const frame = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(frame);
  const [head = [], ...body] = rows;
  const name = caption ?? `Table of ${head.map(wordsOf).join(', ')}`;
  const look = (index: number) => {
    const column = columns[index];
    const longest = Math.max(...rows.map((row) => lengthOf(row[index] ?? {})));
    return {
      className: column?.is_wrapped ? undefined : 'cell-whole',
      style: {
        textAlign: column?.align ?? 'left',
        ...(column?.is_wrapped && { minWidth: `${Math.min(longest, leastWidth) + 3}ch` }),
      },
    } as const;
  };
  return (
    <div>
      <div
        ref={frame}
        className="table-frame"
        {...(scrolls && { role: 'region', tabIndex: 0, 'aria-label': `${name} (table ${number})` })}
      >
        <table>
          <caption className={caption ? undefined : 'visually-hidden'}>{name}</caption>
          <thead>
            <tr>
              {head.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
                <th key={index} scope="col" {...look(index)}>
                  <Written cell={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity
              <tr key={line}>
                {row.map((cell, index) => {
                  const Part = index === rowHeader ? 'th' : 'td';
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
                    <Part key={index} scope={index === rowHeader ? 'row' : undefined} {...look(index)}>
                      <Written cell={cell} />
                    </Part>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {scrolls && (
        <span className="table-hint" aria-hidden="true">
          ↔ Scroll sideways for all {head.length} columns
        </span>
      )}
    </div>
  );
}

function Written({ cell }: { readonly cell: Cell }) {
  if (cell.elements) return <Read text={cell.elements} />;
  const text = wordsOf(cell);
  if (!hasSymbol(text)) return text;
  return <Read text={[{ type: 'rich_text_section', elements: [{ type: 'text', text }] }]} />;
}

/** About as many letters as a cell shows: a mention or a date is counted as a word. */
const lengthOf = (cell: Cell): number =>
  wordsOf(cell).length +
  12 * (cell.elements ?? []).flatMap(({ elements }) => elements).filter((one) => !('text' in one)).length;

/** Every text of a cell. */
function wordsOf({ text, value, elements }: Cell): string {
  if (!elements) return text ?? String(value ?? '');
  return elements.flatMap((part) => part.elements.map((one) => ('text' in one ? one.text : ''))).join('');
}

/** Whether the content of a box is wider than the box, now and after either changed. */
function useScrolls(box: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const frame = box.current;
    if (!frame) return;
    const watch = new ResizeObserver(() => setScrolls(frame.scrollWidth > frame.clientWidth + 1));
    for (const part of [frame, ...frame.children]) watch.observe(part);
    return () => watch.disconnect();
  }, [box]);
  return scrolls;
}
