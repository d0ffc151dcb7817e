import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../../endpoints/testing/open-browser.js';

/** A page in Debian's Chromium, and all errors in it. */
export interface Browsed {
  readonly page: Page;
  readonly errors: string[];
  /** The URLs of all its requests. */
  readonly asked: string[];
}

export async function withBrowser(
  body: (browsed: Browsed) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1480, height: 940 }, ...options });
    page.setDefaultTimeout(120_000);
    const errors: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('request', (request) => asked.push(request.url()));
    await body({ page, errors, asked });
  } finally {
    await browser.close();
  }
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The accessibility violations that axe-core finds, whatever their impact. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  if ((await page.evaluate("'axe' in window")) !== true) await page.evaluate(await readFile(axe, 'utf8'));
  const violations = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Violation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}
