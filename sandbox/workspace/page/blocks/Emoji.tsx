import type { ReactNode } from 'react';
import { isDrawable } from './drawable.ts';

/*
 * The emoji that a bot is likely to use, drawn here: a machine without an emoji font (a server, a CI runner that
 * takes screenshots) shows them, too. All others are left to the reader's own fonts, and named where those lack them.
 */

const disc = (colour: string) => <circle cx="10" cy="10" r="8.5" fill={colour} />;
const line = (path: string, colour: string, width = 2.4) => (
  <path
    d={path}
    fill="none"
    stroke={colour}
    strokeWidth={width}
    strokeLinecap="round"
    strokeLinejoin="round"
  />
);
const tick = 'm5.5 10.5 3 3L14.7 6.8';
const cross = 'm6 6 8 8M14 6l-8 8';
const lockBody = <rect x="4" y="9" width="12" height="9" rx="2" fill="#f5b82e" />;
const bar = line('M6 10h8', '#fff');
const glass = (top: string, bottom: string) => (
  <>
    <path
      d="M5.5 3h9v2.500c0 2-2.5 3-2.5 4.500s2.5 2.5 2.5 4.500V17h-9v-2.500c0-2 2.5-3 2.5-4.500S5.5 7.5 5.5 5.500Z"
      fill="#d7ebf7"
    />
    <path d={top} fill="#f0a43a" />
    <path d={bottom} fill="#f0a43a" />
    {line('M4.5 2.500h11M4.5 17.500h11', '#9a6a3c', 2)}
  </>
);
const eye = (x: number) => (
  <>
    <ellipse cx={x} cy="10" rx="4" ry="5.5" fill="#fff" stroke="#5b6470" strokeWidth="0.8" />
    <circle cx={x - 1} cy="10.5" r="2" fill="#2b3440" />
  </>
);

const drawings: Readonly<Record<string, ReactNode>> = {
  white_check_mark: (
    <>
      <rect x="1.5" y="1.5" width="17" height="17" rx="3.5" fill="#2fae60" />
      {line(tick, '#fff')}
    </>
  ),
  heavy_check_mark: line(tick, '#2fae60', 3),
  x: line(cross, '#dd2e44', 3.6),
  heavy_multiplication_x: line(cross, 'currentColor', 3),
  question: (
    <>
      {line('M6.5 7a3.500 3.500 0 1 1 5.200 3.100c-1.100.6-1.700 1.300-1.700 2.700', '#dd2e44', 2.8)}
      {line('M10 16.800v.1', '#dd2e44', 3.2)}
    </>
  ),
  hand: (
    <path
      d="M6 17.500C4.500 16 3.200 13.500 2.600 11.500c-.4-1.300 1.200-2 1.900-.8L6 12.800V4.500c0-1.500 2-1.500 2 0V9l.5-6c.1-1.500 2.100-1.500 2.100 0L10.800 9l.9-5.200c.3-1.400 2.200-1.100 2 .4L13 9.700l1.400-3c.6-1.300 2.300-.6 1.900.8L15 13c-.5 2.500-1.500 5-4 5.500-2 .3-3.800.1-5-1Z"
      fill="#fcc43e"
      stroke="#e0a21f"
      strokeWidth="0.6"
    />
  ),
  no_entry: (
    <>
      {disc('#dd2e44')}
      {bar}
    </>
  ),
  no_entry_sign: (
    <>
      <circle cx="10" cy="10" r="7.2" fill="none" stroke="#dd2e44" strokeWidth="2.4" />
      {line('m5 5 10 10', '#dd2e44')}
    </>
  ),
  octagonal_sign: <path d="M6.5 1.500h7l5 5v7l-5 5h-7l-5-5v-7Z" fill="#dd2e44" />,
  warning: (
    <>
      <path
        d="M8.6 2.600a1.6 1.6 0 0 1 2.8 0l7.2 13.300a1.6 1.6 0 0 1-1.4 2.300H2.800a1.6 1.6 0 0 1-1.4-2.300Z"
        fill="#fcc43e"
      />
      {line('M10 7.500v4.300M10 14.900v.1', '#3b3324', 2)}
    </>
  ),
  information_source: (
    <>
      <rect x="1.5" y="1.5" width="17" height="17" rx="3.5" fill="#3b88c3" />
      {line('M10 9.500v5M10 5.900v.1', '#fff')}
    </>
  ),
  red_circle: disc('#dd2e44'),
  large_green_circle: disc('#5fb344'),
  large_yellow_circle: disc('#fcc43e'),
  large_orange_circle: disc('#f4900c'),
  large_blue_circle: disc('#3b88c3'),
  white_circle: <circle cx="10" cy="10" r="8" fill="#eef1f4" stroke="#b9c2cb" />,
  lock: (
    <>
      {line('M6.5 9V6.500a3.5 3.5 0 0 1 7 0V9', '#8f99a3', 2)}
      {lockBody}
    </>
  ),
  unlock: (
    <>
      {line('M6.5 9V5.500a3.5 3.5 0 0 1 6.8-1.2', '#8f99a3', 2)}
      {lockBody}
    </>
  ),
  hourglass: glass('M9.3 10h1.400v.5H9.300Z', 'M7 16.500c.5-1.8 2-2.5 3-3 1 .5 2.5 1.2 3 3Z'),
  hourglass_flowing_sand: glass(
    'M6.8 6.500h6.400c-.5 1.2-2 1.8-3.2 3-1.2-1.2-2.7-1.8-3.2-3Z',
    'M8 16.500c.4-1 1.2-1.4 2-1.8.8.4 1.6.8 2 1.800Z',
  ),
  calendar: (
    <>
      <rect x="2" y="3.500" width="16" height="14.500" rx="2" fill="#eef1f4" stroke="#b9c2cb" />
      <path d="M2 5.500a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v2.500H2Z" fill="#dd2e44" />
      {line('M6 2v3M14 2v3', '#5b6470', 1.6)}
      {line('M5.500 11.500h9M5.500 14.500h5', '#8f99a3', 1.6)}
    </>
  ),
  rotating_light: (
    <>
      <path d="M5 14v-3a5 5 0 0 1 10 0v3Z" fill="#dd2e44" />
      <rect x="3" y="14" width="14" height="3.5" rx="1" fill="#55606b" />
      {line('M10 2v1.500M3 4.5 4.2 5.700M17 4.500l-1.2 1.2', '#f4900c', 1.6)}
    </>
  ),
  mag: (
    <>
      <circle cx="8.2" cy="8.2" r="5.5" fill="#cfe6f5" stroke="#5b6470" strokeWidth="1.8" />
      {line('m12.5 12.5 5 5', '#5b6470', 2.6)}
    </>
  ),
  eyes: (
    <>
      {eye(5.5)}
      {eye(14.5)}
    </>
  ),
  wave: (
    <path
      d="M6.2 11.4 3.9 7.500c-.9-1.6 1.1-2.7 2-1.200L8 9.7 5.6 4.500C4.9 2.9 7.1 2 7.8 3.500l2.5 5.3-1.4-4.900c-.5-1.6 1.7-2.3 2.2-.6l1.9 6 .2-3c.1-1.7 2.3-1.5 2.3.1l.6 6c.3 3.3-1.3 5.5-4 6.2-2.8.7-4.3-.7-5.9-3.200Z"
      fill="#fcc43e"
      stroke="#e0a21f"
      strokeWidth="0.6"
    />
  ),
};

/** An emoji by its Slack name; a name that nobody knows stays as it was typed. */
export function Emoji({ name, unicode }: { readonly name: string; readonly unicode: string }) {
  const drawing = drawings[name];
  if (!drawing && (!unicode || unicode === name || !isDrawable(unicode))) return `:${name}:`;
  return (
    <span role="img" aria-label={name.replaceAll('_', ' ')} className="emoji">
      {drawing ? (
        <svg viewBox="0 0 20 20" aria-hidden="true">
          {drawing}
        </svg>
      ) : (
        unicode
      )}
    </span>
  );
}
