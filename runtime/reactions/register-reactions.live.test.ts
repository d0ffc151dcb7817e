import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { postgresReactionStore } from './postgres-reaction-store.js';
import { registerReactions } from './register-reactions.js';

const test = suite('registering reactions');

const reaction = { kind: 'reaction', name: 'reserve-stock' } as const;

test('what happens after a start reaches a new reaction, although its cursors are not taken yet', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const [database, store] = [connect(), openStore()];
    const append = async () => {
      const streamId = newUuid();
      const envelope = { messageId: newUuid(), messageType: 'OrderPlaced', streamId, payload: {}, v: 1 };
      await store.append(streamId, { ...envelope, timestamp: new Date().toISOString() });
    };
    await append();
    await registerReactions(database, [{ ...reaction, start: 'head' }]);
    await append();
    await registerReactions(database, [
      { ...reaction, start: 'head' },
      { ...reaction, name: 'count-orders', start: 'beginning' },
    ]);
    const reactions = postgresReactionStore(database);
    assert.is((await reactions.takeCursor('reaction/reserve-stock/3', 'head')).position, 1);
    assert.is((await reactions.takeCursor('reaction/count-orders/3', 'beginning')).position, 0);
  }));
