import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** What is wrong with the page for people who hear it, or see little; one line for each. */
export async function accessibilityFlaws(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`),
  );
}
