import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { pageAssets } from '../../sandbox/workspace/page/bundle.ts';
import { createLog } from '../../src/telemetry/log.ts';
import type { World } from '../../src/world.ts';

/** Keeps Chromium from looking for anything outside this machine. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Visit {
  readonly page: Page;
  readonly sandbox: Sandbox;
  /** Types a line into the composer of a channel and sends it. */
  readonly send: (line: string, channel?: string) => Promise<void>;
  /** Becomes somebody else, by the switcher. */
  readonly become: (name: string) => Promise<void>;
}

export interface Chromium {
  /** An empty page. A test fails at any unexpected message on its console. */
  readonly blank: (viewport?: Viewport, expected?: RegExp) => Promise<Page>;
  /** The page of a sandbox, at its address. */
  readonly open: (url: string, viewport?: Viewport) => Promise<Page>;
  /** A sandbox, and its page. */
  readonly visit: (viewport?: Viewport, world?: World) => Promise<Visit>;
}

interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** The page's files, bundled once. */
export const assets = pageAssets();

/** A real Chromium for the tests of a file; its pages close with the test. */
export function startChromium(): Chromium {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: quiet,
    });
  }, 60_000);
  afterAll(() => browser.close());

  const blank: Chromium['blank'] = async (viewport = { width: 1280, height: 800 }, expected) => {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected?.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    onTestFinished(async () => {
      await page.close();
      if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
    });
    return page;
  };

  const open: Chromium['open'] = async (url, viewport) => {
    const page = await blank(viewport);
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Message #helpdesk' }).waitFor();
    return page;
  };

  return {
    blank,
    open,
    visit: async (viewport, world) => {
      const sandbox = await startSandbox({
        workspace: { page: assets },
        world: { log: createLog('silent'), ...world },
      });
      onTestFinished(() => sandbox.stop());
      const page = await open(sandbox.workspace.url, viewport);
      return {
        page,
        sandbox,
        send: async (line, channel = 'helpdesk') => {
          const composer = page.getByRole('textbox', { name: `Message #${channel}` });
          await composer.fill(line);
          await composer.press('Enter');
        },
        become: async (name) => {
          await page.getByRole('button', { name: /^You are / }).click();
          await page.getByRole('menuitemradio', { name: new RegExp(name) }).click();
          await page.getByRole('button', { name: new RegExp(`^You are ${name}`) }).waitFor();
        },
      };
    },
  };
}
