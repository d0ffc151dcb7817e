import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { launchBrowserServer } from './open-browser.js';

const test = suite('browser of a run');

test('an interrupt is left to the runner, which also stops a PostgreSQL server', async () => {
  const listeners = () => ['SIGHUP', 'SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));
  const before = listeners();
  const browser = await launchBrowserServer();
  const meanwhile = listeners();
  await browser.close();
  assert.equal(meanwhile, before);
});
