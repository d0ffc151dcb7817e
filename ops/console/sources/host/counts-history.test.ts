import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { CountsHistory } from './counts-history.js';

const test = suite('history of counts');

test('what was counted while no page was open is there, oldest first, for a minute and a half', () => {
  let requests = 0;
  let now = 0;
  const none = { failed: 0, crashed: 0, rejected: 0, replayed: 0 };
  const history = new CountsHistory(
    () => ({ ...none, requests }),
    () => now,
  );
  for (let second = 1; second <= 200; second++) {
    now = second * 1_000;
    requests += 2;
    history.take();
  }
  const list = history.list();
  history.stop();
  assert.is(list.length, 91);
  assert.equal(list[0], { ...none, requests: 220, agoMs: 90_000 });
  assert.equal(list.at(-1), { ...none, requests: 400, agoMs: 0 });
});
