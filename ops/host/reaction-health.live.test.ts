import * as assert from 'uvu/assert';
import { EffectFigures } from '../../actors/due/effect-figures.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { request } from '../../runtime/testing/effect-store-contract.js';
import { sets } from '../../runtime/testing/unit-lists/units.js';
import { reactionHealth } from './reaction-health.js';

const test = suite('health of effects');

test('requests of effects are counted once, however often health is asked while none is late or parked', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const connection = connect();
    let asked = 0;
    const database: Pick<Database, 'rows'> = {
      rows: (statement) => {
        asked++;
        return connection.rows(statement);
      },
    };
    await openStore().commit(sets(request('acme', false, { due: { inMs: 3_600_000 } })));
    const { checks, state } = reactionHealth({
      connection: { database },
      reactions: { cursors: [], effects: new Map([['sms', new EffectFigures()]]) },
      leases: { head: 1 },
    });
    const effects = checks.find(({ name }) => name === 'effects');
    const signal = new AbortController().signal;
    for (let n = 0; n < 5; n++) assert.is((await effects?.check(signal))?.status, 'Healthy');
    assert.is(asked, 1);
    assert.equal(
      state().effects.map(({ name, waiting }) => [name, waiting]),
      [['sms', 1]],
    );
  }));
