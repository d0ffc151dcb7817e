import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { everyFollowerPasses } from '../testing/followed-once.js';
import { poisonedFollowers, repair, stuckIn } from '../testing/followed-scene.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('followers whose entries are retried');

everyFollowerPasses(test, {
  "an operator's retry while followers run, also of two operators at once, doubles nothing": async (
    scene,
  ) => {
    const { orders, running, bring, mend, shop } = scene;
    await running(2);
    await bring('poison');
    const load = orders.begin();
    await orders.place(6, { trouble: 'poison' });
    await untilPasses(async () => assert.equal(await stuckIn(shop), poisonedFollowers));
    await repair(shop, 'retry');
    await mend('poison');
    const retry = ['stuck', 'retry', '--yes', '--reason', 'mended'];
    const operators = ['ann', 'bob'].map((SVC_ACTOR) => svc(retry, { DATABASE_URL: shop.url, SVC_ACTOR }));
    assert.equal(
      (await Promise.all(operators)).map(({ code, stderr }) => (code === 0 ? '' : stderr)),
      ['', ''],
    );
    await until(async () => {
      await repair(shop, 'retry');
      return (await stuckIn(shop)).length === 0;
    });
    await load.end();
  },
});
