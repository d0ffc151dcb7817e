import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Page,
} from 'playwright-core';
import { program } from '../../runtime/testing/installed-program.js';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

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
    page.setDefaultTimeout(30_000);
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

/** The shared browser of a test run, with a separate context; otherwise a new one. */
async function openBrowser(): Promise<Browser> {
  const shared = process.env['SVC_TEST_BROWSER'];
  return shared ? chromium.connect(shared) : chromium.launch(await launchOptions());
}

/** A browser for many clients. */
export const launchBrowserServer = async (): Promise<BrowserServer> =>
  // The runner handles an interrupt, as it has more than a browser to stop: by itself, the library would exit the
  // process.
  chromium.launchServer({
    ...(await launchOptions()),
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });

const launchOptions = async () => ({ executablePath: await program('chromium'), args, timeout: 120_000 });

interface Violation {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The accessibility violations that axe-core finds. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(axe, 'utf8'));
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
    );
}
