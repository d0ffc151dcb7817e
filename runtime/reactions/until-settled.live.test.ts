import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { untilSettled } from './until-settled.js';

const test = suite('settled reactions');

test('a position is settled when all cursors have passed it, here or on other hosts, and no key before it is tried again', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const names = ['reaction/a/0', 'reaction/a/1'];
    const settledTo: (number | undefined)[] = [undefined, undefined];
    const cursors = () => names.map((cursor, n) => ({ cursor, name: 'a', settledTo: settledTo[n] }));
    let isOver = false;
    const settled = untilSettled(connect(), cursors, 7).then(() => (isOver = true));
    await owner.rows({ text: `INSERT INTO svc_progress(name, position) VALUES ('reaction/a/0', 6)` });
    settledTo[1] = 9;
    await owner.rows({
      text: `INSERT INTO svc_stuck_work(follower, key, position, state, attempts)
        VALUES ('reaction/a/1', 'k', 7, 'retrying', 1)`,
    });
    await owner.rows({ text: `UPDATE svc_progress SET position = 7` });
    assert.not(isOver);
    await owner.rows({ text: `UPDATE svc_stuck_work SET state = 'parked'` });
    await settled;
    assert.ok(isOver);
    const aborted = await untilSettled(connect(), cursors, 99, AbortSignal.abort()).catch(() => 'aborted');
    assert.is(aborted, 'aborted');
  }));
