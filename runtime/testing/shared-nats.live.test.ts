import { connect } from 'nats';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { loginTo } from './nats-login.js';
import { withEmptyNats } from './shared-nats.js';

const test = suite('shared test broker');

test('what one test publishes and creates, another one does not see', () =>
  withEmptyNats((here) =>
    withEmptyNats(async (there) => {
      const [near, far] = [await connect(loginTo(here)), await connect(loginTo(there))];
      const seen: string[] = [];
      far.subscribe('>', { callback: (_, { subject }) => void seen.push(subject) });
      await far.flush();
      const { streams } = await near.jetstreamManager();
      await streams.add({ name: 'BREAD', subjects: ['bread.>'] });
      await near.jetstream().publish('bread.rye');
      await far.flush();
      assert.equal(seen, []);
      assert.equal(await (await far.jetstreamManager()).streams.names().next(), []);
      await Promise.all([near.close(), far.close()]);
    }),
  ));
