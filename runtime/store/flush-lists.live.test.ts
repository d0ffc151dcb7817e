import * as assert from 'uvu/assert';
import type { Long } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import { readReservationSecret } from '../reservations/reservation-key.js';
import { collect } from '../kit/collect.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { useSegmentsOf } from '../testing/small-segments.js';
import { encodeUnit } from './encode-unit.js';
import { commitCall, flushParameters } from './flush-call.js';
import { audited, codesOf, hold, mark, timer } from '../testing/list-units.js';

const test = suite('flushes with lists');

test('a repeated flush gets the stored answer and has no second effect', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const writer = newUuid();
    const units = [audited({ handled: [mark(cursor, 1)] }), audited({ handled: [mark(cursor, 1)] })];
    const values = parametersOf(writer, 1, units);
    const send = () => database.connect().rows({ text: commitCall, values });
    const first = await send();
    assert.equal(first[0]?.slice(0, 2), ['{1,5}', '{1,NULL}']);
    assert.equal(await send(), first);
    assert.is((await collect(database.openStore().readAll({ after: 0 }))).length, 2);
  }));

test('units that are sent alone after a data error carry their own marks', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const bad = { key: Buffer.of(1), fingerprint: Buffer.of(2), status: 200, body: '\u0000' };
    const answers = await codesOf(database.openStore(), [
      audited({ handled: [mark(cursor, 1)] }),
      { ...audited({ handled: [mark(cursor, 2)] }), outcome: bad },
      audited({ handled: [mark(cursor, 3)] }),
    ]);
    assert.equal(answers, ['stored', 'unexpected', 'stored']);
    const reactions = postgresReactionStore(database.connect());
    assert.equal((await reactions.takeCursor(cursor.name, 'head')).done, [1, 3]);
  }));

test('units with lists and without form one log and one chain', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const units = Array.from({ length: 12 }, (_, n) =>
      audited(n % 3 === 0 ? {} : { handled: [mark(cursor, n % 4)], timers: [timer()] }),
    );
    const store = database.openStore();
    const together = await codesOf(store, units.slice(0, 9));
    const alone = [];
    for (const unit of units.slice(9)) alone.push(...(await codesOf(store, [unit])));
    const [stored, no] = ['stored', 'overtaken'];
    assert.equal(
      [...together, ...alone],
      [stored, stored, stored, stored, no, no, stored, stored, no, stored, no, no],
    );
    const positions = (await collect(store.readAll({ after: 0 }))).map((event) => event.globalPosition);
    assert.equal(
      positions,
      Array.from({ length: 14 }, (_, n) => n + 1),
    );
    assert.is((await verifyChain(database.connect({ owner: true }))).ok, true);
  }));

test('units with lists are stored over the borders of segments', () =>
  withMigratedDatabase(async (database) => {
    await useSegmentsOf(database.url, 5);
    const cursor = await hold(database);
    const units = Array.from({ length: 20 }, (_, n) => audited({ handled: [mark(cursor, n + 1)] }));
    const store = database.openStore();
    assert.equal(new Set(await codesOf(store, units)), new Set(['stored']));
    assert.is((await collect(store.readAll({ after: 0 }))).length, 40);
    assert.is((await verifyChain(database.connect({ owner: true }))).ok, true);
    const later = await postgresReactionStore(database.connect()).takeCursor('later', 'head');
    assert.is(later.position, 40);
  }));

test('hosts write lists through the procedures alone, and read the secret through its function', () =>
  withMigratedDatabase(async (database) => {
    const host = database.connect();
    const tables = ['svc_progress', 'svc_stuck_work', 'svc_timers', 'svc_processes', 'svc_reservations'];
    for (const table of tables) {
      const refusal = await host.rows({ text: `DELETE FROM ${table}` }).catch(String);
      assert.match(String(refusal), `permission denied for table ${table}`);
      await host.rows({ text: `SELECT * FROM ${table}` });
    }
    const secret = await host.rows({ text: 'SELECT * FROM svc_reservation_secret' }).catch(String);
    assert.match(String(secret), 'permission denied');
    assert.is((await readReservationSecret(host)).length, 32);
    assert.equal(await readReservationSecret(host), await readReservationSecret(database.connect()));
    const [row] = await database.connect({ owner: true }).rows({
      text: `SELECT has_function_privilege('public', 'svc_reservation_key()', 'EXECUTE')`,
    });
    assert.equal(row, ['f']);
  }));

test('two hosts whose connections are killed handle every event once, and only with its mark', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const owner = database.connect({ owner: true });
    const hosts = [database.openStore('north'), database.openStore('south')];
    const stream = newUuid();
    const handle = async (store: UnitStore, position: Long): Promise<string> => {
      const [code = ''] = await codesOf(store, [
        { ...audited({ handled: [mark(cursor, position)] }, stream), records: [] },
      ]);
      return code;
    };
    const positions = Array.from({ length: 200 }, (_, n) => n + 1);
    const over = new AbortController();
    const killing = (async () => {
      while (!over.signal.aborted) {
        await owner.rows({ text: killText });
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    })();
    const answers = await Promise.all(
      hosts.map(async (store) => {
        const codes: string[] = [];
        for (let from = 0; from < positions.length; from += 10)
          codes.push(
            ...(await Promise.all(
              positions.slice(from, from + 10).map((position) => handle(store, position)),
            )),
          );
        return codes;
      }),
    );
    over.abort();
    await killing;
    const [north = [], south = []] = answers;
    // Whom a host could not reach, it may have reached all the same: then the other one is refused.
    const known = positions.filter((_, n) => north[n] === 'stored' || south[n] === 'stored').length;
    const twice = positions.filter((_, n) => north[n] === 'stored' && south[n] === 'stored').length;
    const stored = (await collect(database.openStore().read(stream))).length;
    const reactions = postgresReactionStore(database.connect());
    assert.is(twice, 0);
    assert.ok(stored >= known && known > 100, `${known} of ${stored} are known`);
    assert.is((await reactions.takeCursor(cursor.name, 'head')).done.length, stored);
  }));

function parametersOf(writer: string, flush: number, units: readonly Unit[]) {
  const encoded = units.map((unit) => encodeUnit(unit, Date.now()));
  return flushParameters(writer, flush, 'test', encoded);
}

const killText = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ('north', 'south') AND random() < 0.3`;
