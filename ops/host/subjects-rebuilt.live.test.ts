import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import {
  ada,
  bob,
  forget,
  forgetting,
  newCustomers,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { readConfig } from '../config/config.js';
import customers from '../testing/customer-service.js';
import { type Host, startHost } from './host.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';

const test = suite('subjects that are forgotten meanwhile');

/** In its store each test has customers of its own. */
const whileRunning = sharedIn<{ readonly host: Host; readonly url: string }>(test, (body) =>
  withStore((url) => withHost(url, (host) => body({ host, url }))),
);

/** Another rebuild would be refused meanwhile. */
const untilNothingRebuilds = (url: string): Promise<number> =>
  until(async () => {
    const underWay = `${forgetting} UNION ALL SELECT 1 FROM svc_rebuilds WHERE ended_at IS NULL`;
    return (await rowsOf(url, underWay)).length === 0;
  });

const nothingIsLeft = async (url: string, email: string): Promise<void> => {
  await until(async () => (await rowsOf(url, forgetting)).length === 0);
  assert.equal(await tablesWith(url, email), []);
};

test('the table that an earlier rebuild replaced keeps nothing of a forgotten subject', () =>
  whileRunning(async ({ host, url }) => {
    const { eve, joe, city } = newCustomers();
    await register(host.url, eve, joe);
    await shows(host.url, city, { emails: [eve.email, joe.email] });
    await untilNothingRebuilds(url);
    for (const name of ['customers', 'cities']) await host.service.rebuild(name, { mode: 'BlueGreen' });
    assert.is((await forget(url, eve.customerId)).code, 0);
    await nothingIsLeft(url, eve.email);
    await shows(host.url, city, { emails: [null, joe.email] });
  }));

test('a table that another rebuild drops while a subject is forgotten holds up neither', () =>
  whileRunning(async ({ host, url }) => {
    const { eve } = newCustomers();
    await register(host.url, eve);
    await shows(host.url, `/customers/${eve.customerId}`, { email: eve.email });
    await untilNothingRebuilds(url);
    await host.service.rebuild('customers', { mode: 'BlueGreen' });
    const replaced = `SELECT tablename FROM pg_tables WHERE tablename LIKE 'svc\\_old\\_%customers%'`;
    const tables = await rowsOf(url, replaced);
    assert.is(tables.length, 2);
    const client = await connect(url);
    try {
      await client.query(`BEGIN; DROP TABLE ${tables.join()}`);
      const forgotten = forget(url, eve.customerId);
      const waiting = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%svc_forget_subject%'`;
      await until(async () => (await rowsOf(url, waiting)).length > 0);
      await client.query('COMMIT');
      const { code, stderr } = await forgotten;
      assert.is(code, 0, stderr);
    } finally {
      await client.end();
    }
    await nothingIsLeft(url, eve.email);
  }));

test('a rebuild that has read a value before it is forgotten does not bring it back', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob, ada, bob);
      await shows(host.url, `/customers/${bob.customerId}`, { events: 2 });
      const rebuilt = host.service.rebuild('customers', { mode: 'BlueGreen', maxRate: 1 });
      const underWay = 'SELECT 1 FROM svc_rebuilds WHERE position > 0 AND ended_at IS NULL';
      await until(async () => (await rowsOf(url, underWay)).length === 1);
      assert.is((await forget(url, ada.customerId)).code, 0);
      await rebuilt;
      await nothingIsLeft(url, ada.email);
      await shows(host.url, `/customers/${ada.customerId}`, { email: null, events: 2 });
      await shows(host.url, `/customers/${bob.customerId}`, { email: bob.email, events: 2 });
    }),
  ));

test('a rebuild while the key wrapper is away fails and says why, and readers keep what they have', () =>
  withStore(async (url) => {
    let isAway = false;
    const mask = (bytes: Uint8Array) =>
      isAway ? Promise.reject(new Error('no route')) : Promise.resolve(bytes.map((byte) => ~byte));
    const definition = { ...customers, keyWrapper: { wrap: mask, unwrap: mask } };
    const start = () => startHost(definition, readConfig({ SVC_PORT: '0', DATABASE_URL: url }));
    const first = await start();
    await register(first.url, ada);
    await shows(first.url, `/customers/${ada.customerId}`, { email: ada.email });
    // A host that has folded an event has the keys of its subjects in its memory.
    await shows(first.url, `/cities/${ada.city}`, { emails: [ada.email] });
    await first.stop();
    const host = await start();
    try {
      isAway = true;
      const refusal = await host.service.rebuild('customers', { mode: 'BlueGreen' }).then(String, String);
      assert.match(refusal, 'The wrapper of the keys of subjects fails or does not answer');
      const [[error] = []] = await rowsOf(url, 'SELECT error FROM svc_rebuilds');
      assert.match(error ?? '', 'The wrapper of the keys of subjects fails or does not answer');
      await shows(host.url, `/customers/${ada.customerId}`, { email: ada.email });
      isAway = false;
      await host.service.rebuild('customers', { mode: 'BlueGreen' });
      await shows(host.url, `/customers/${ada.customerId}`, { email: ada.email });
    } finally {
      await host.stop();
    }
  }));
