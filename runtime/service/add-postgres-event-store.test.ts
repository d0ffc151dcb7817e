import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresEventStore } from './add-postgres-event-store.js';
import { addService } from './service.js';

const test = suite('PostgreSQL event store of a service');

test('an unreachable database is tried again at the next use, and stopping reports no error', async () => {
  const service = addService().with(postgresEventStore({ url: 'postgres://nobody@127.0.0.1:1/none' }));
  for (let round = 0; round < 2; round++) {
    const refusal = await service.eventStore.lastPosition(newUuid()).catch((error: unknown) => error);
    assert.is((refusal as Problem).code, 'store-unavailable');
  }
  await service.stop();
});
