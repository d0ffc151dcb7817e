import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { actorTree } from './actor-tree.js';

const test = suite('actor tree');

const since = Date.parse('2026-01-01T00:00:00.000Z');
const child = (name: string) => ({
  name,
  state: 'running' as const,
  restarts: 1,
  since,
  lastError: 'fell over',
});

test('handlers are below the dispatcher with their mailboxes, perspectives and reactions with their states', () => {
  const tree = actorTree({
    supervisor: {
      tree: [
        { ...child('perspectives'), children: [{ ...child('repairs perspective'), restarts: 2 }] },
        child('reactions'),
        child('dispatcher'),
        child('http'),
        child('subscriber'),
        { ...child('outbox-relay'), state: 'crashed' },
      ],
    },
    dispatcher: { loads: [{ command: 'Repair', running: 2, waiting: 5, mailbox: 1024, byTenant: [] }] },
    relay: () => ({ state: 'relaying' }),
    subscriber: () => ({ state: 'receiving' }),
    reactions: {
      followers: [
        {
          kind: 'process',
          name: 'fulfilment',
          states: { withoutLease: 3, running: 4, failed: 1 },
          error: 'no row',
        },
      ],
    },
    board: { state: 'watching' },
    service: {
      perspectives: [
        {
          name: 'repairs',
          position: 1,
          lag: 0,
          behindSeconds: 0,
          state: 'failed',
          parked: 0,
          error: 'no table',
        },
      ],
    },
  });
  const [perspectives, reactions, dispatcher, http, subscriber, relay] = tree;
  assert.equal(
    [http, subscriber, relay].map((node) => node?.ownState),
    [undefined, 'receiving', undefined],
    'a statechart has a state of its own while it runs',
  );
  const [repairs] = perspectives?.children ?? [];
  assert.equal(
    [repairs?.name, repairs?.state, repairs?.restarts, repairs?.lastError],
    ['repairs perspective', 'failed', 2, 'no table'],
  );
  const [fulfilment] = reactions?.children ?? [];
  assert.equal(
    [fulfilment?.name, fulfilment?.state, fulfilment?.lastError],
    ['fulfilment process', 'failed 1, running 4, withoutLease 3', 'no row'],
  );
  assert.equal(dispatcher?.children, [
    { name: 'Repair handler', state: 'running 2', mailbox: { depth: 5, limit: 1024 } },
  ]);
  assert.is(http?.children, undefined);
  assert.equal(
    [http?.state, http?.restarts, http?.since, http?.lastError],
    ['running', 1, '2026-01-01T00:00:00.000Z', 'fell over'],
  );
});
