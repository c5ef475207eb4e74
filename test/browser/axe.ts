import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Faults that axe-core finds in the current page, with all its default rules. */
export async function violations(page: Page): Promise<readonly string[]> {
  // A colour that is on its way to another one is neither.
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
  await page.evaluate(axe.source);
  // Without the rest, which names everything that passed, it takes half of the time.
  const { violations: found } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))",
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}
