import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { inbound, inboundBytes } from '../../runtime/testing/foreign-events.js';
import {
  eventsOf,
  lettersIn,
  type ReceiverScene,
  signingStore,
  withReceiver,
} from '../testing/receiver-scene.js';

const test = suite('doubtful messages');

const kinds = async ({ database }: ReceiverScene): Promise<Readonly<Record<string, number>>> => {
  const found: Record<string, number> = {};
  for (const reason of await lettersIn(database)) found[reason ?? ''] = (found[reason ?? ''] ?? 0) + 1;
  return found;
};

test('20,000 forged messages take the room of 1,000 dead letters, and a refused message that is real is still kept', () =>
  withReceiver('pin', async (scene) => {
    const bakery = signingStore();
    const first = bakery.event(newUuid());
    await scene.handle(bakery.signed(first));
    for (let n = 0; n < 20; n++) {
      const forged = Array.from({ length: 1_000 }, () => inbound(bakery.event(newUuid())));
      await scene.handle(...forged);
    }
    assert.equal([await kinds(scene), scene.counts.dropped], [{ 'unsigned-message': 1_000 }, 19_000]);
    await scene.handle(
      bakery.signed({ ...first, messageId: newUuid() }),
      bakery.signed(bakery.event(newUuid())),
    );
    assert.equal(await kinds(scene), { 'unsigned-message': 1_000, 'place-taken': 1 });
    assert.equal(await eventsOf(scene.database), [['2']]);
  }));

test('garbage and invented stores fill half of the room at most, and never make good messages wait', () =>
  withReceiver('pin', async (scene) => {
    const owned = scene.owner;
    await owned.rows({
      text: `INSERT INTO svc_stuck_work(follower, key, state, attempts, error, id, doubt)
        SELECT 'inbox', n, 'parked', 1, 'invalid-message', nextval('svc_dead_letter_ids'), 'kind ' || n / 800 FROM generate_series(1, 5000) n`,
    });
    await scene.handle(inboundBytes('svc.events.Baked', Buffer.from('garbage')));
    assert.is(scene.counts.dropped, 1);
    const bakery = signingStore();
    const first = bakery.event(newUuid());
    await scene.handle(inbound(first), inbound({ ...first, messageId: newUuid() }));
    assert.equal([scene.counts.stored, scene.counts.dead], [1, 1]);
  }));

test('an invalid message that its store has signed is kept, however many forgeries there are of its kind', () =>
  withReceiver('pin', async (scene) => {
    const bakery = signingStore();
    await scene.handle(bakery.signed(bakery.event(newUuid())));
    const invalid = () => bakery.event(newUuid(), { payload: 'a\0b' });
    const forged = Array.from({ length: 1_001 }, () => inbound(invalid()));
    await scene.handle(...forged, bakery.signed(invalid()));
    assert.equal([await kinds(scene), scene.counts.dropped], [{ 'invalid-message': 1_001 }, 1]);
  }));
