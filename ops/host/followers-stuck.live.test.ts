import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { RawNats } from '../../runtime/testing/raw-nats.js';
import { everyFollowerPasses, untilFollowedOnce } from '../testing/followed-once.js';
import {
  countIn,
  type FollowedScene,
  poisonedFollowers,
  repair,
  stuckIn,
} from '../testing/followed-scene.js';

const test = suite('followers that meet an entry that they cannot handle');

everyFollowerPasses(test, {
  'a poison entry holds up no other, is listed as stuck for each follower, and is handled once it is mended':
    async (scene) => {
      const { orders, running, bring, mend, shop, warehouse } = scene;
      await running(1);
      await bring('poison');
      await orders.place(1, { trouble: 'poison' });
      await sendGarbage(scene);
      await orders.place(60);
      await untilFollowedOnce(scene, withoutTrouble(scene));
      await untilPasses(async () => {
        assert.equal(await stuckIn(shop), poisonedFollowers);
        assert.equal(await stuckIn(warehouse), ['inbox']);
      });
      await mend('poison');
      await repair(shop, 'retry');
      await repair(warehouse, 'skip');
    },

  'a slow key holds up no other': async (scene) => {
    const { orders, running, bring, mend, shop } = scene;
    await running(1);
    await bring('slow');
    await orders.place(3, { trouble: 'slow', clients: 1 });
    await orders.place(60);
    await untilFollowedOnce(scene, withoutTrouble(scene));
    assert.is(await countIn(shop, slowEffects), 0);
    await mend('slow');
  },
});

const slowEffects = `svc_event_stream WHERE event_type <> 'OrderCreated' AND data ->> 'trouble' = 'slow'`;

const withoutTrouble = ({ orders }: FollowedScene) =>
  orders.placed.filter(({ trouble }) => trouble === 'none');

/** A subscriber cannot accept it. */
async function sendGarbage({ broker }: FollowedScene): Promise<void> {
  const sender = await RawNats.connect(broker);
  sender.publish('svc.events.OrderCreated', Buffer.from('no message'));
  await sender.flush();
  sender.close();
}
