import { createHash } from 'node:crypto';

/** Of all pages; there is no script and no picture. */
export const style = `
:root { color-scheme: light dark; --text: #1d1c1d; --soft: #55545a; --back: #ffffff; --line: #86858c; --accent: #0b5a9c;
  --on-accent: #ffffff; --wrong: #a8071a; --good: #0a6b3d; }
@media (prefers-color-scheme: dark) { :root { --text: #ececee; --soft: #b6b5bb; --back: #1a1d21; --line: #8a898f;
  --accent: #8cc4ff; --on-accent: #10243a; --wrong: #ff9c9c; --good: #7fdca9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1.05rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.75rem; }
h2 { font-size: 1.1rem; margin: 0 0 0.25rem; }
p { margin: 0 0 1rem; }
label { display: block; font-weight: 600; margin-top: 1.25rem; }
.hint, .small { color: var(--soft); font-size: 0.92rem; }
.hint { margin: 0; }
.small { margin: 1.5rem 0 0; }
input, textarea, select, button { font: inherit; width: 100%; padding: 0.6rem 0.7rem; border-radius: 0.4rem; margin-top: 0.3rem; }
input, textarea, select { border: 1px solid var(--line); background: var(--back); color: var(--text); }
button { border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; margin-top: 1.75rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.wrong { color: var(--wrong); margin: 0.2rem 0 0; }
.problems { border: 2px solid var(--wrong); border-radius: 0.4rem; padding: 0.9rem 1rem; margin-bottom: 1rem; }
.problems ul { margin: 0; padding-left: 1.2rem; }
[aria-invalid="true"] { border: 2px solid var(--wrong); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.3rem 1.25rem; margin: 1.5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.good { color: var(--good); }
.bad { color: var(--wrong); }
`;

/** By which the browser knows it as ours. */
const styleHash = createHash('sha256').update(style).digest('base64');

/** Sent with every answer: nothing is loaded, framed, kept or told to other sites. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // With `no-referrer` a browser would not say either which page a form was sent from, and that is checked.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
