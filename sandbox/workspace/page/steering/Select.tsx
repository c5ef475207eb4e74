import type { ComponentProps } from 'react';
import { CaretIcon } from '../icons.tsx';

/** The browser's own select, which phones show best, with the caret of our pickers. */
export function Select(props: ComponentProps<'select'>) {
  return (
    <span className="select">
      <select className="field" {...props} />
      <CaretIcon />
    </span>
  );
}
