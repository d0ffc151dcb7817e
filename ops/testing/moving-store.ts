import * as assert from 'uvu/assert';
import { firstServerUrl } from '../../runtime/database/server-list.js';
import { execute } from '../../runtime/kit/database.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { withLogicalServers } from '../../runtime/testing/logical-servers.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { readConfig } from '../config/config.js';
import { startHost } from '../host/host.js';
import { type OrderLedger, startLedger } from './order-ledger.js';
import { ordersAlone } from './orders-alone.js';
import { svc } from './spawned-host.js';

interface Moving {
  readonly source: string;
  readonly target: string;
  /** As the host lists them. */
  readonly listed: string;
  readonly ledger: OrderLedger;
}

/** Runs the command; the mover dies at the failpoint. */
export const move = (url: string, args: readonly string[], failpoint = '') =>
  svc(['store', 'move', ...args], { ...environmentOf(url), SVC_FAILPOINTS: failpoint });

/** Both servers have the same login. */
export const environmentOf = (url: string) => ({
  DATABASE_URL: url,
  SVC_MOVE_PASSWORD: firstServerUrl(url).password,
});

export const toTarget = (url: string): readonly string[] => [
  '--to',
  Object.assign(new URL(url), { password: '' }).href,
];

/** What an application has beside the tables of the runtime. */
const application = `CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE bakers (id serial PRIMARY KEY, name text NOT NULL UNIQUE, mood mood NOT NULL DEFAULT 'good',
  upper_name text GENERATED ALWAYS AS (upper(name)) STORED);
CREATE TABLE shifts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, baker int NOT NULL REFERENCES bakers, CHECK (baker > 0));
CREATE INDEX shifts_of ON shifts(baker);
CREATE FUNCTION count_shifts(int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM shifts WHERE baker = $1';
CREATE VIEW busy AS SELECT name, count_shifts(id) AS shifts FROM bakers;
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''kept''; END';
CREATE TRIGGER kept BEFORE DELETE ON bakers FOR EACH ROW EXECUTE FUNCTION refuse();
ALTER TABLE bakers ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON bakers FOR SELECT USING (name = current_user);
GRANT SELECT ON bakers TO svc_runtime;
CREATE TABLE prices (product text PRIMARY KEY, cents int NOT NULL);
INSERT INTO prices VALUES ('bread', 310), ('roll', 90);
INSERT INTO bakers(name) VALUES ('ann'), ('bob');
INSERT INTO shifts(baker) VALUES (1), (1), (2);`;

/** A store with sealed segments, a host that lists both servers, and clients that never stop. */
export const whileServing = (body: (moving: Moving) => Promise<void>): Promise<void> =>
  withLogicalServers(async ({ urls, listed }) => {
    const [source, target] = urls;
    await migrate({ ownerUrl: source });
    await useSegmentsOf(source, 128);
    await execute(source, application);
    const host = await startHost(ordersAlone, readConfig({ SVC_PORT: '0', DATABASE_URL: listed }));
    const ledger = startLedger(host.url, 4);
    try {
      await ledger.grows(100);
      await execute(source, 'UPDATE svc_store SET segment_size = 1000000');
      assert.is((await svc(['segments', 'seal'], { DATABASE_URL: source })).code, 0);
      await body({ source, target, listed, ledger });
    } finally {
      await ledger.stop();
      await host.stop();
    }
  });

/** Slots, publications and subscriptions of a database. */
export const leftovers = (...urls: readonly string[]): Promise<string[]> =>
  Promise.all(
    urls.map(async (url) => {
      const text = `SELECT (SELECT count(*) FROM pg_replication_slots) + (SELECT count(*) FROM pg_publication) + (SELECT count(*) FROM pg_subscription)`;
      return (await rowsOf(url, text))[0]?.[0] ?? '';
    }),
  );
