import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Turn } from '../../runtime/leases/postgres-leases.js';
import { runCheck } from '../testing/run-check.js';
import { broadcastCheck } from './broadcast-check.js';

const test = suite('broadcast check');

const report = (broadcasts: boolean, differing: readonly string[], recorded: boolean) =>
  runCheck(broadcastCheck(broadcasts, { watch: answering({ differing, recorded, broadcasts }) }));

/** The store answers once: this host, and those that differ. */
const answering =
  ({ differing, recorded, broadcasts }: Answer) =>
  (watcher: (turn: Turn) => void) => {
    const hostOf = (broadcast: boolean) => (name: string) => ({
      owner: name,
      name,
      version: '1',
      names: [],
      broadcast,
    });
    const hosts = [...['north'].map(hostOf(broadcasts)), ...differing.map(hostOf(!broadcasts))];
    watcher({ hosts, broadcast: recorded } as Partial<Turn> as Turn);
    return () => undefined;
  };

interface Answer {
  readonly differing: readonly string[];
  readonly recorded: boolean;
  readonly broadcasts: boolean;
}

test('hosts that differ are Degraded, and so is one that differs from what the command line follows', async () => {
  assert.is((await report(true, [], true)).status, 'Healthy');
  assert.is((await report(false, [], false)).status, 'Healthy');
  const differs = await report(true, ['west', 'south', 'west'], true);
  assert.is(differs.status, 'Degraded');
  assert.match(
    differs.detail ?? '',
    /^This host broadcasts system events, but south and west do not; start all hosts with the same SVC_BROADCAST/,
  );
  const overruled = await report(false, [], true);
  assert.is(overruled.status, 'Degraded');
  assert.match(overruled.detail ?? '', /run svc store broadcast off --reason TEXT, or change SVC_BROADCAST/);
});
