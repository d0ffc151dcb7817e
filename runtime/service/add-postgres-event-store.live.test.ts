import { Pool } from 'pg';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { addService } from './service.js';
import { collect } from '../kit/collect.js';
import { withDatabase } from '../kit/database.js';
import { postgresEventStore } from './add-postgres-event-store.js';
import { addUpcasters } from './add-upcasters.js';

const test = suite('event store addition');

const opened = () => ({
  messageId: newUuid(),
  messageType: 'ShopOpened',
  payload: { street: 'High' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

test('a URL is enough: the schema is created on first use of the store, and upcasters apply', () =>
  withDatabase(async (url) => {
    const service = addService()
      .with(postgresEventStore({ url }))
      .with(
        addUpcasters([{ type: 'ShopOpened', from: 1, up: (old: object) => ({ ...old, country: 'GB' }) }]),
      );
    const stream = newUuid();
    assert.equal(await service.eventStore.append(stream, opened()), {
      positions: [1],
      globalPositions: [1],
    });
    const [read] = await collect(service.eventStore.read(stream));
    assert.equal([read?.payload, read?.v], [{ street: 'High', country: 'GB' }, 2]);
    await service.stop();
  }));

test('a pool of the service is used and left open', () =>
  withDatabase(async (url) => {
    const pool = new Pool({ connectionString: url });
    const service = addService().with(postgresEventStore({ pool }));
    const stream = newUuid();
    await service.eventStore.append(stream, opened());
    assert.is((await collect(service.eventStore.readAll({ after: 0 }))).length, 1);
    await service.stop();
    assert.is((await pool.query('SELECT 1 AS one')).rowCount, 1);
    await pool.end();
  }));
