import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { appendedBy, appendUnit } from './append-unit.js';

const test = suite('append unit');

test('one envelope or a list of them is one unit', () => {
  const occurredAt = '2026-01-01T00:00:00Z';
  assert.equal(appendUnit(order, event, { occurredAt }).events, [
    { streamId: order, envelope: event, occurredAt },
  ]);
  assert.equal(
    appendUnit(order, [event, event], {}).events.map(({ envelope }) => envelope),
    [event, event],
  );
});

test('without an expected position the stream may be anywhere', () => {
  assert.is(appendUnit(order, event, {}).expected.size, 0);
  assert.is(appendUnit(order, event, { expectedPosition: 'any' }).expected.size, 0);
  assert.equal([...appendUnit(order, event, { expectedPosition: 0 }).expected], [[order, 0]]);
});

test('an expected position is an integer of at least 0', () => {
  for (const expectedPosition of [-1, 0.5, Number.NaN, Infinity]) {
    assert.throws(
      () => appendUnit(order, event, { expectedPosition }),
      (error: unknown) => error instanceof Problem && error.code === 'invalid-event',
    );
  }
});

test('the result holds the positions that the commit assigned', () => {
  const unit = appendUnit(order, [event, event], {});
  unit.events.forEach((staged, index) =>
    Object.assign(staged, { position: index + 3, globalPosition: index + 8 }),
  );
  assert.equal(appendedBy(unit), { positions: [3, 4], globalPositions: [8, 9] });
});

const order = newUuid();
const event: Envelope = {
  messageId: newUuid(),
  messageType: 'OrderCreated',
  payload: {},
  timestamp: '2026-01-01T00:00:00Z',
  v: 1,
};
