import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core finds wrong with what the page shows now: all the rules that it has on by default. */
export async function violations(page: Page): Promise<readonly string[]> {
  // A colour that is on its way to another one is neither.
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<AxeResults>('axe.run()');
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}
