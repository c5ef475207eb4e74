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
  /** The steps and the expected views, without the questions for the group. */
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

/** Does what the step says, as whom it says, and waits for what must be seen: not of what stood there before the part began. */
async function play(
  { page, become, stood }: Pick<Visit, 'page' | 'become'> & { readonly stood: readonly string[] },
  body: string,
): Promise<void> {
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
    } else if (seen !== undefined) await see(page, seen, stood);
    else if (button !== undefined) await press(page, button);
    else throw new Error(`The document does not say what is done with ${stray}.`);
  }
}

async function see(page: Page, text: string, stood: readonly string[]): Promise<void> {
  const isNew = () =>
    page
      .getByText(text)
      .filter({ visible: true })
      .evaluateAll((found, old) => {
        const messages = found.map((one) => one.closest('article')?.dataset.ts);
        return messages.some((ts) => ts === undefined || !old.includes(ts));
      }, stood);
  await expect.poll(isNew, { message: `“${text}” is seen` }).toBe(true);
}

async function press(page: Page, label: string): Promise<void> {
  if (label === 'Enter') return page.keyboard.press(label);
  const dialog = page.getByRole('dialog');
  const within = (await dialog.count()) > 0 ? dialog : page;
  // Labels have more for screen readers. A channel says unread, a button names its card, and a cross names the
  // misbehaviour that it clears.
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
    expect(parts.get('The ten minutes')).toHaveLength(12);
    for (const steps of parts.values()) {
      const times = steps.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1)).toBeLessThanOrEqual(10 * 60_000);
      for (const { body } of steps) expect(body).toMatch(/“[^”]+”/);
    }
  });

  /** Plays parts one after the other, in one sandbox. */
  async function rehearse(titles: readonly string[]): Promise<void> {
    let ahead = 0;
    let lookAtClock = () => {};
    const now = () => Date.now() + ahead;
    const here = await visit(undefined, {
      now,
      // The bot's intended pauses pass at once.
      sleep: async (milliseconds) => {
        ahead += milliseconds;
      },
      every: (_interval, callback) => {
        lookAtClock = callback;
        return () => undefined;
      },
    });
    let viewer = '';
    const become = async (name: string) => {
      if (name !== viewer) await here.become(name);
      viewer = name;
    };
    for (const title of titles) {
      const start = now();
      const { workspace } = here.sandbox;
      const stood = workspace.people.flatMap(({ id }) => workspace.snapshot(id).messages.map(({ ts }) => ts));
      for (const { title: step, at, body } of parts.get(title) ?? []) {
        ahead += Math.max(0, start + at - now());
        lookAtClock();
        await here.sandbox.bot.idle();
        await play({ page: here.page, become, stood }, body).catch((error: unknown) => {
          throw new Error(`In “${title}”, in the step “${step}”`, { cause: error });
        });
      }
    }
  }

  test.each([...parts.keys()])('works on the page as it is written: %s', (title) => rehearse([title]));

  test('works part after part in the same sandbox, and once more from the beginning', () =>
    rehearse([...parts.keys(), ...parts.keys()]));
});
