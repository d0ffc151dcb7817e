import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { HeldCursor, UnitLists } from '../../contracts/unit-lists.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeUnit } from './encode-unit.js';
import type { EncodedUnit } from './encode-unit.js';
import type { FlushRow } from './flush-call.js';
import { listParameterCount, listParameters } from './flush-lists.js';
import { GroupCommitWriter } from './group-commit-writer.js';

const test = suite('parameters of lists');

test('there are as many as the procedure takes', () => {
  assert.is(listParameters([unit({})]).length, listParameterCount);
});

test('units that touch different things are not mixed', () => {
  const cursor = held(0);
  const units = [1, 2].map((position) =>
    unit({
      handled: [{ cursor, position, key: 'same' }],
      ended: [{ id: newUuid() }, { id: newUuid() }],
      reservations: [{ key: newUuid(), name: 'email', owner: 'ada', take: true }],
    }),
  );
  assert.is(isMixed(units), false);
});

test('units that touch the same thing are mixed, and so is a key that one of them moves', () => {
  const cursor = held(0);
  const id = newUuid();
  const mark = (position: Long) => unit({ handled: [{ cursor, position, key: 'k' }] });
  const moves = unit({
    aside: [
      { cursor, key: 'k', from: 1, next: 0, state: 'retrying', attempts: 0, retryInMs: 0, error: null },
    ],
  });
  assert.is(isMixed([mark(1), mark(1)]), true);
  assert.is(isMixed([mark(1), moves]), true);
  assert.is(isMixed([moves]), false);
  assert.is(isMixed([unit({ ended: [{ id }] }), unit({ ended: [{ id }] })]), true);
});

test('what is settled is asked for when the flush is built', () => {
  let asked = 0;
  const cursor: HeldCursor = { name: 'line', epoch: 1, settledTo: () => ++asked };
  const encoded = unit({ handled: [{ cursor, position: 7, key: 'k' }] });
  assert.is(asked, 0);
  const [, , , low] = listParameters([encoded]);
  assert.ok(Buffer.isBuffer(low));
  assert.equal([asked, Number(low.readBigInt64BE(24))], [1, 1]);
});

test('only a flush with lists takes the call for lists', async () => {
  const calls: string[] = [];
  const answer = async (call: string): Promise<FlushRow> => {
    calls.push(call);
    return ['{1,1}', '{}', '{}', ''];
  };
  const writer = new GroupCommitWriter({
    host: 'test',
    connect: async () => ({
      send: () => answer('v3'),
      sendOne: () => answer('one'),
      sendLists: () => answer('v4'),
      discard: () => undefined,
    }),
    failureOf: () => 'data',
    unavailable: (cause) => new Problem('store-unavailable', { cause }),
  });
  await writer.commit(unit({}));
  await Promise.all([writer.commit(unit({})), writer.commit(unit({ ended: [{ id: newUuid() }] }))]);
  await writer.commit(unit({ ended: [{ id: newUuid() }] }));
  await writer.close();
  assert.equal(calls, ['v3', 'v4', 'v4']);
});

function unit(lists: Partial<UnitLists>): EncodedUnit {
  const empty = { handled: [], aside: [], timers: [], ended: [], reservations: [], processes: [] };
  const staged = { events: [], records: [], expected: new Map(), lists: { ...empty, ...lists } };
  return encodeUnit(staged, Date.now());
}

function held(low: Long): HeldCursor {
  return { name: 'line', epoch: 1, settledTo: () => low };
}

const isMixed = (units: readonly EncodedUnit[]): boolean => listParameters(units)[0] === 'true';
