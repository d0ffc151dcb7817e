import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { program } from '../../runtime/testing/installed-program.js';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The shared browser of a test run, where every page has a separate context; otherwise a new one. */
export async function openBrowser(): Promise<Browser> {
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
