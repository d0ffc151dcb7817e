import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { backendOf, endBackend } from './backend.js';

const test = suite('the server process of a session');

test('ends a session by its process and the time of its start, and no other that has the same process id', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [here, there] = [await connect().session(), await connect().session()];
    const backend = await backendOf(there);
    await endBackend(here, { ...backend, startedAt: '2026-03-01 09:30:00+00' });
    assert.equal(await backendOf(there), backend);
    await endBackend(here, backend);
    await there.ended;
    await endBackend(here, backend);
    assert.equal(await here.rows({ text: 'SELECT current_user' }), [['svc_runtime']]);
    there.release(true);
    here.release();
  }));
