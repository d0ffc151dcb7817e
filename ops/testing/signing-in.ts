import type { Page } from 'playwright-core';

export const isLive = (page: Page) => page.getByText('live', { exact: true }).first().waitFor();

export async function give(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token or key', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
