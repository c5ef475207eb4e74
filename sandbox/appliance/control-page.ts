import { readFileSync } from 'node:fs';
import type { Steered } from './control.ts';
import { type Kind, kinds, wordsFor } from './kinds.ts';
import type { ActiveFault, Operation, Pending, ReceivedRequest, Switch } from './protocol.ts';

const sheet = new URL('control-page.css', import.meta.url);

/** The page at `/_simulator`: what there is, how it stands, and the lines that change it. No script, nothing from outside. */
export function controlPage(appliance: Steered, origin: string): string {
  const { catalogue, requests } = appliance;
  const areas = Map.groupBy(catalogue, ({ area }) => area);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Simulated appliance</title>
<style>${readFileSync(sheet, 'utf8')}</style>
</head>
<body>
<header>
<h1>Simulated appliance</h1>
<p>${catalogue.length} operations in ${areas.size} areas, with the state of a whole company behind them.
It behaves as its document says, and misbehaves when told so.</p>
</header>
<main>
<section>
<h2>As it stands</h2>
${faultList(appliance.faults.active())}
${switchList(appliance.switches())}
${pendingLine(appliance.pending())}
<h3>Last requests</h3>
${requestList(requests.slice(-8).reverse())}
</section>
<section>
<h2>Make it misbehave</h2>
<pre>${lines(origin)}</pre>
<details><summary>${Object.keys(kinds).length} kinds of misbehaviour</summary>
<dl>${Object.entries<Kind>(kinds).map(kindEntry).join('')}</dl>
<p>Every kind takes <code>times</code>: for how many requests. Those that spoil only the answer take
<code>"happens": false</code>, and then the order is not carried out either; <code>status</code> and
<code>redirect</code> take <code>"happens": true</code>, and then it is.</p></details>
<p>As JSON: ${['operations', 'faults', 'switches', 'pending', 'requests'].map(jsonLink).join(', ')}.</p>
</section>
<section class="wide">
<h2>Operations</h2>
<p>A link does what its operation does: many of this API’s GETs change something, and a reset takes it back.</p>
<div class="areas">${[...areas].map(([area, all]) => areaList(area, all, appliance.asksForKey)).join('')}</div>
</section>
</main>
</body>
</html>
`;
}

function lines(origin: string): string {
  const faults = `${origin}/_simulator/faults`;
  return plain(
    `curl -X PUT ${faults} \\
  -d '{"operation":"GET /categories/list",
       "kind":"slow","ms":5000}'
curl -X DELETE ${faults}
curl -X PUT ${origin}/_simulator/switches \\
  -d '{"categoryList":"B"}'
curl -X POST ${origin}/_simulator/reset`,
  );
}

function faultList(faults: readonly ActiveFault[]): string {
  if (faults.length === 0) return '<p class="calm">It behaves: no misbehaviour is set.</p>';
  const items = faults.map((fault) => {
    const left = fault.times === undefined ? '' : ` <em>${fault.times} more</em>`;
    return `<li><code>${plain(fault.operation)}</code> ${plain(wordsFor(fault))}${left}</li>`;
  });
  return `<ul class="faults">${items.join('')}</ul>`;
}

function switchList(switches: readonly Switch[]): string {
  const items = switches.map(({ name, label, values, value }) => {
    const others = Object.keys(values).join(', ');
    return `<dt>${plain(label)}</dt><dd>${plain(values[value] ?? value)} <code>${name}: ${others}</code></dd>`;
  });
  return `<dl>${items.join('')}</dl>`;
}

function pendingLine(pending: readonly Pending[]): string {
  const waiting = pending.filter(({ count }) => count > 0).map(({ words }) => words);
  return waiting.length === 0 ? '' : `<p>Not live yet: ${plain(waiting.join(', '))}.</p>`;
}

function requestList(requests: readonly ReceivedRequest[]): string {
  if (requests.length === 0) return '<p>None yet.</p>';
  const items = requests.map(({ at, method, path, status, outcome, fault }) => {
    const met = fault === undefined ? '' : ` <em>${kinds[fault].label}</em>`;
    const time = at.toISOString().slice(11, 19);
    return `<li><time>${time} UTC</time> <b>${plain(method)}</b> <code>${plain(path)}</code> ${status ?? outcome}${met}</li>`;
  });
  return `<ol class="requests">${items.join('')}</ol>`;
}

function kindEntry([name, { says, options, only }]: readonly [string, Kind]): string {
  const takes = Object.entries(options).map(
    ([option, rule]) => ` <code>${option}: ${plain(JSON.stringify(rule.default))}</code>`,
  );
  const where = only ? ` Only ${only.map((one) => `<code>${plain(one)}</code>`).join(' and ')}.` : '';
  return `<dt><code>${name}</code></dt><dd>${plain(says)}${takes.join('')}${where}</dd>`;
}

/** A browser cannot send the key, which is what the gateway asks for. */
function areaList(area: string, operations: readonly Operation[], asksForKey: boolean): string {
  const items = operations.map(({ method, path }) => {
    const canBeALink =
      (method === 'GET' || method === '-') &&
      !path.includes('{') &&
      !(asksForKey && path.startsWith('/rdpproxy/'));
    const shown = plain(path);
    return `<li><b>${method === '-' ? 'any' : method}</b> ${
      canBeALink ? `<a href="${shown}" rel="nofollow">${shown}</a>` : `<span>${shown}</span>`
    }</li>`;
  });
  return `<section><h3>${plain(area)}</h3><ul class="operations">${items.join('')}</ul></section>`;
}

const jsonLink = (name: string) => `<a href="/_simulator/${name}">${name}</a>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as text: paths come from whoever asks. */
function plain(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
