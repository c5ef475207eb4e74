import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startChromium, type Visit } from '../../browser/chromium.ts';

const { visit } = startChromium();

const script = new URL('../../../docs/rehearse-emergency.md', import.meta.url);

interface Step {
  readonly title: string;
  /** Milliseconds after the beginning of its part. */
  readonly at: number;
  /** What is done and seen, without the questions that are asked aloud. */
  readonly body: string;
}

/** The parts of the document that have steps, by their headings. */
const parts = new Map(
  readFileSync(script, 'utf8')
    .split(/^## /m)
    .map((part) => [part.slice(0, part.indexOf('\n')), stepsOf(part)] as const)
    .filter(([, steps]) => steps.length > 0),
);

function stepsOf(part: string): readonly Step[] {
  const items = part.matchAll(/^\d+\. +\*\*(\d+):(\d\d) ([^*]+)\*\*((?:.+\n|\n(?= ))*)/gm);
  return [...items].map(([, minutes, seconds, title = '', text = '']) => ({
    title,
    at: (Number(minutes) * 60 + Number(seconds)) * 1000,
    body: text.replace(/^ *>.*(?:\n +(?!>).+)*/gm, '').replace(/\s+/g, ' '),
  }));
}

/** How the document says what is done, and what is seen. Anything else in code or in bold is a mistake of the document. */
const sayings = new RegExp(
  [
    /\b(?<who>Bob|Carol) (?=types|presses|turns|writes|opens|sees|reads)/,
    /types `(?<line>[^`]+)`/,
    /writes `(?<value>[^`]+)` into \*(?<field>[^*]+)\*/,
    /turns \*(?<way>[^*]+)\* to \*\*(?<position>[^*]+)\*\*/,
    /opens (?<thread>the thread) under it/,
    /“(?<seen>[^”]+)”/,
    /\*\*(?<button>[^*]+)\*\*/,
    /(?<stray>`[^`]*`)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Does what the step says, as whom it says, and waits for what must be seen. */
async function play({ page, become }: Pick<Visit, 'page' | 'become'>, body: string): Promise<void> {
  for (const { groups = {} } of body.matchAll(sayings)) {
    const { who, line, value, field = '', way = '', position, thread, seen, button, stray } = groups;
    if (who !== undefined) await become(who.toLowerCase());
    else if (line !== undefined) {
      const composer = page.getByRole('textbox', { name: 'Message #incident' });
      await composer.fill(line);
      await composer.press('Enter');
    } else if (value !== undefined) await page.getByLabel(field, { exact: true }).fill(value);
    else if (position !== undefined) {
      await page.getByRole('group', { name: way }).getByText(position, { exact: true }).click();
    } else if (thread !== undefined) {
      const card = page.getByRole('article').filter({ hasText: '/appliance emergency enable' }).last();
      await card.getByRole('button', { name: /^\d+ repl/ }).click();
    } else if (seen !== undefined) await page.getByText(seen).filter({ visible: true }).last().waitFor();
    else if (button !== undefined) await press(page, button);
    else throw new Error(`The document does not say what is done with ${stray}.`);
  }
}

async function press(page: Page, label: string): Promise<void> {
  if (label === 'Enter') return page.keyboard.press(label);
  const dialog = page.getByRole('dialog');
  const within = (await dialog.count()) > 0 ? dialog : page;
  // A channel with news is called unread, a card's button also after what it is about, and the cross beside a misbehaviour after
  // what it clears.
  const name =
    label === '✕' ? /^Clear / : new RegExp(`^${label.replaceAll(/\W/g, '\\$&')}(?:: .*| ?, unread.*)?$`);
  await within.getByRole('button', { name }).last().click();
}

describe('the rehearsal of emergency mode', () => {
  test('is written in steps of which the main ones take ten minutes', () => {
    expect([...parts.keys()]).toEqual([
      'The ten minutes',
      'Variation: it cannot be ended',
      'Variation: switched on elsewhere',
    ]);
    expect(parts.get('The ten minutes')).toHaveLength(11);
    for (const steps of parts.values()) {
      const times = steps.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1)).toBeLessThanOrEqual(10 * 60_000);
      for (const { body } of steps) expect(body).toMatch(/“[^”]+”/);
    }
  });

  test.each([...parts])('goes on the page as it is written: %s', async (_, steps) => {
    let ahead = 0;
    let lookAtClock = () => {};
    const now = () => Date.now() + ahead;
    const here = await visit(undefined, {
      now,
      // What the bot waits for on purpose passes at once.
      sleep: async (milliseconds) => {
        ahead += milliseconds;
      },
      every: (_interval, callback) => {
        lookAtClock = callback;
        return () => undefined;
      },
    });
    const start = now();
    let viewer = '';
    const become = async (name: string) => {
      if (name !== viewer) await here.become(name);
      viewer = name;
    };
    for (const { title, at, body } of steps) {
      ahead += Math.max(0, start + at - now());
      lookAtClock();
      await here.sandbox.bot.idle();
      await play({ page: here.page, become }, body).catch((error: unknown) => {
        throw new Error(`In the step “${title}”`, { cause: error });
      });
    }
  });
});
