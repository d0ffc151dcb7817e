import type { Page } from 'playwright-core';

/** Waits for a sentence of the state bar. */
export const bar = (page: Page, level: string, text: string | RegExp): Promise<void> =>
  page.locator(`.state-bar[data-level="${level}"]`, { hasText: text }).waitFor();

export const healthy = (page: Page): Promise<void> => bar(page, 'good', /All \d+ checks are healthy/);

/** From the sentence to the panel about it. */
export const follow = (page: Page): Promise<void> => page.locator('.state-bar a').click();
