import * as assert from 'uvu/assert';
import { Supervisor } from '../../actors/supervisor/supervisor.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Turn } from '../../runtime/leases/postgres-leases.js';
import { startFlags } from './flags.js';

const test = suite('flags of a host');

const giftWrap = { name: 'gift-wrap', default_on: true, percent: null, tenants: {}, users: {} };

test('a change whose notification is lost is in force when leases are renewed, for one query that reads one row', async () => {
  const [asked, supervisor] = [[] as string[], new Supervisor()];
  let stored = { version: '1', flags: [] as object[] };
  const rows = async ({ text, values = [] }: { text: string; values?: readonly unknown[] }) => {
    asked.push(text);
    return values[0] === stored.version ? [] : [[stored.version, JSON.stringify(stored.flags)]];
  };
  const notifications = { subscribe: () => () => undefined };
  let renewed = (_version: string): void => undefined;
  const leases = {
    watch: (watcher: (turn: Turn) => void) => {
      renewed = (version) => watcher({ versions: { svc_flags: version } } as Partial<Turn> as Turn);
      return () => undefined;
    },
  };
  const registry = { endpoints: [], receptors: [], flags: ['gift-wrap'] };
  const flags = await startFlags({ supervisor, database: { rows }, notifications, leases, registry });
  stored = { version: '2', flags: [giftWrap] };
  asked.length = 0;
  assert.is(flags.isOn('gift-wrap', {}), false);
  renewed('1');
  assert.is(asked.length, 0);
  renewed('2');
  await new Promise(setImmediate);
  assert.is(flags.isOn('gift-wrap', {}), true);
  assert.is(asked.length, 1);
  await supervisor.stop();
});
