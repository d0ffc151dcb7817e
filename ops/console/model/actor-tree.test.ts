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

test('handlers are below the dispatcher with their mailboxes, perspectives with their state', () => {
  const tree = actorTree({
    supervisor: {
      tree: [
        { ...child('perspectives'), children: [{ ...child('repairs perspective'), restarts: 2 }] },
        child('dispatcher'),
        child('http'),
        child('subscriber'),
        { ...child('outbox-relay'), state: 'crashed' },
      ],
    },
    dispatcher: { loads: [{ command: 'Repair', running: 2, waiting: 5, mailbox: 1024 }] },
    relay: () => ({ state: 'relaying' }),
    subscriber: () => ({ state: 'receiving' }),
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
  const [perspectives, dispatcher, http, subscriber, relay] = tree;
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
  assert.equal(dispatcher?.children, [
    { name: 'Repair handler', state: 'running 2', mailbox: { depth: 5, limit: 1024 } },
  ]);
  assert.is(http?.children, undefined);
  assert.equal(
    [http?.state, http?.restarts, http?.since, http?.lastError],
    ['running', 1, '2026-01-01T00:00:00.000Z', 'fell over'],
  );
});
