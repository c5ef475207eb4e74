import { useSyncExternalStore } from 'react';

const dark = matchMedia('(prefers-color-scheme: dark)');

function subscribe(changed: () => void) {
  dark.addEventListener('change', changed);
  return () => dark.removeEventListener('change', changed);
}

/** The reader's own choice of light or dark. */
export const useTheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => (dark.matches ? 'dark' : 'light'));
