import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import type { HealthFigures } from '../../model/health.js';
import type { OutboxFigures } from '../../model/outbox.js';
import type { PerspectiveFigures } from '../../model/perspectives.js';
import { aRequest } from '../../../testing/scripted-host.js';
import {
  combineActors,
  combineHealth,
  combineOutbox,
  combinePerspectives,
  combineRequests,
} from './combine-answers.js';

const test = suite('console of several hosts');

test('requests are in start order, each with its host, and limited in number', () => {
  const at = (id: string, second: number) => ({
    ...aRequest(id),
    startedAt: `2026-01-01T00:00:0${second}.000Z`,
  });
  const answers = [
    ['north-1', [at('c', 3), at('a', 1)]],
    ['north-2', [at('d', 4), at('b', 2)]],
    ['north-3', undefined],
  ] as const;
  assert.equal(
    combineRequests(answers, 3).map(({ id, host }) => [id, host]),
    [
      ['d', 'north-2'],
      ['c', 'north-1'],
      ['b', 'north-2'],
    ],
  );
});

test('a host that does not answer is shown as unreachable, and the others as they are', () => {
  const http = { name: 'http', state: 'running' };
  assert.equal(
    combineActors([
      ['north-1', [http]],
      ['north-2', undefined],
    ]),
    [
      { name: 'north-1', state: 'running', children: [http] },
      { name: 'north-2', state: 'unreachable', children: undefined },
    ],
  );
});

test('the combined health is that of the worst host; one that does not answer makes it Degraded', () => {
  const check = { name: 'db', tags: [], status: 'Healthy' };
  const well = { status: 'Healthy', checks: [check] };
  const ill = { status: 'Unhealthy', checks: [] };
  const statusOf = (...all: readonly (HealthFigures | undefined)[]) =>
    combineHealth(all.map((one, n) => [`north-${n}`, one])).status;
  assert.equal(
    [statusOf(well, well), statusOf(well, undefined), statusOf(well, ill, undefined)],
    ['Healthy', 'Degraded', 'Unhealthy'],
  );
  const { checks } = combineHealth([
    ['north-1', well],
    ['north-2', undefined],
  ]);
  assert.equal(
    checks.map(({ host, name, status }) => [host, name, status]),
    [
      ['north-1', 'db', 'Healthy'],
      ['north-2', 'host', 'Unhealthy'],
    ],
  );
});

test('a perspective is shown as reported by the host that rebuilds it, else by the one that runs it', () => {
  const seen = (state: string, position: number, more: Partial<PerspectiveFigures> = {}) => ({
    name: 'orders',
    state,
    position,
    lag: 0,
    ...more,
  });
  const shown = (...all: readonly PerspectiveFigures[]) =>
    combinePerspectives(all.map((one, n) => [`north-${n}`, [one]])).map(({ state, position }) => [
      state,
      position,
    ]);
  assert.equal(shown(seen('withoutLease', 9), seen('live', 7)), [['live', 7]]);
  assert.equal(shown(seen('withoutLease', 7), seen('withoutLease', 9)), [['withoutLease', 9]]);
  const rebuild = { done: 1, total: 2 };
  assert.equal(shown(seen('live', 7), seen('withoutLease', 3, { rebuild })), [['withoutLease', 3]]);
  const running = { rebuild: { ...rebuild, step: 'replaying' } };
  assert.equal(shown(seen('rebuilding', 3, running), seen('rebuilding', 7, { rebuild })), [
    ['rebuilding', 3],
  ]);
});

test('pending messages of the store are counted once, the figures of relays are added up', () => {
  const stored = { pending: 3, more: false, oldestAgeMs: 5, relay: 'idle', counts: {}, dead: 1 };
  const { pending, relay, counts } = combineOutbox(stored satisfies OutboxFigures, [
    ['north-1', { state: 'idle', counts: { published: 2 } }],
    ['north-2', { state: 'waiting', counts: { published: 5 } }],
    ['north-3', undefined],
  ]);
  assert.equal([pending, relay, counts], [3, 'idle, waiting', { published: 7 }]);
});
