import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runRunner } from './spawned-runner.js';

test('A live file runs after the unit files and is told where its PostgreSQL is', async () => {
  const { code, output } = await runRunner(['database.live.test.js', 'good.test.js']);
  assert.match(output, /^✓ good\.test\.js.*\n✓ database\.live\.test\.js/);
  assert.match(output, /\n3 passed, 0 failed\n$/);
  assert.is(code, 0);
});

test('A timed file runs after all others', async () => {
  const { output } = await runRunner(['alone.timed.live.test.js', 'database.live.test.js']);
  assert.match(output, /^✓ database\.live\.test\.js.*\n✓ alone\.timed\.live\.test\.js/);
});

test.run();
