import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Tokens } from '../access/tokens.js';
import { Inspection } from '../inspection/inspection.js';
import { order, withBakery } from '../testing/bakery.js';
import { post } from '../testing/http-client.js';
import { openBrowser } from '../testing/open-browser.js';
import { Inspector } from './inspector.js';

const test = suite('inspector in a browser');

/** What a page of Stately does in its frame: their receiver, and a list of what it received. */
const viewer = `
  import { createBrowserReceiver } from '@statelyai/inspect';
  window.frames_ = [];
  createBrowserReceiver().subscribe((frame) => window.frames_.push(frame));
`;

/** Passes every frame of the feed to the framed page, once it is connected. */
const bridge = (feed: string): string => `<!doctype html><iframe src="/viewer"></iframe><script>
  addEventListener('message', ({ data, source }) => {
    if (data.type !== '@statelyai.connected') return;
    const socket = new WebSocket('${feed}');
    socket.onopen = () => (document.title = 'attached');
    socket.onmessage = (message) => source.postMessage(JSON.parse(message.data), '*');
  });
</script>`;

async function withPages(feed: string, body: (url: string) => Promise<void>): Promise<void> {
  const resolveDir = fileURLToPath(new URL('../../../', import.meta.url));
  const stdin = { contents: viewer, resolveDir };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
  });
  const pages: Readonly<Record<string, string>> = {
    '/': bridge(feed),
    '/viewer': '<!doctype html><script src="/viewer.js"></script>',
    '/viewer.js': outputFiles[0]?.text ?? '',
  };
  const server = createServer(({ url = '' }, answer) => {
    answer.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
    answer.end(pages[url] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function withBrowser(body: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await openBrowser();
  try {
    await body(browser);
  } finally {
    await browser.close();
  }
}

test("Stately's receiver for browsers, in a frame like on their page, sees the states of a request", async () => {
  const inspection = new Inspection({ host: 'oven-1' });
  // The page is of another origin, which needs a token.
  const access = { tokens: new Tokens({ inspect: 'let-me-look' }), localOnly: true };
  const inspector = new Inspector(inspection.feed, { access });
  await withBakery({ inspection, http: { routes: [inspector.route] } }, ({ url }) =>
    withPages(`${url.replace('http', 'ws')}/inspect?t=let-me-look`, (pages) =>
      withBrowser(async (browser) => {
        const page = await browser.newPage();
        page.setDefaultTimeout(120_000);
        await page.goto(pages);
        await page.waitForFunction("document.title === 'attached'");
        await post(url, order);
        const frame = page.frames()[1];
        await frame?.waitForFunction("frames_.some(({ snapshot }) => snapshot?.value === 'completed')");
        const states = await frame?.evaluate(
          "frames_.filter(({ type, snapshot }) => type === '@xstate.snapshot' && snapshot.value).map(({ snapshot }) => snapshot.value)",
        );
        assert.equal(states, ['checking', 'before', 'dispatching', 'after', 'completed']);
        inspector.stop();
      }),
    ),
  );
});
