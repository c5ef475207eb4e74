import { useState } from 'react';
import type { Block } from '../../protocol.ts';
import { CaretIcon } from '../icons.tsx';
import { type Rows, Table } from './Table.tsx';

/** Its caption, its rows page by page as a table, and the way to the other pages. */
export function DataTable({ block }: { readonly block: Block }) {
  const [page, setPage] = useState(0);
  // The workspace has checked the block before it shows it.
  const [head = [], ...rows] = block.rows as Rows;
  const size = Number(block.page_size ?? 5);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  // An update may have taken rows away.
  const shown = Math.min(page, pages - 1);
  const first = shown * size;
  const turn = (label: string, to: number) => (
    <button
      type="button"
      className="plain-button"
      aria-label={label}
      disabled={to < 0 || to >= pages}
      onClick={() => setPage(to)}
    >
      <CaretIcon />
    </button>
  );
  return (
    <span className="data-table">
      <Table
        caption={String(block.caption)}
        rows={[head, ...rows.slice(first, first + size)]}
        rowHeader={block.row_header_column_index as number | undefined}
      />
      {pages > 1 && (
        <span className="data-table-foot">
          {turn('Previous rows', shown - 1)}
          <span aria-live="polite">
            {first + 1}–{Math.min(first + size, rows.length)} of {rows.length}
          </span>
          {turn('Next rows', shown + 1)}
        </span>
      )}
    </span>
  );
}
