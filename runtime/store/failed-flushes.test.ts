import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { codeOf, ScriptedServer, unit } from '../testing/scripted-server.js';

const test = suite('flushes that fail');

test('after a lost connection the same flush is retried over a new one', async () => {
  const server = new ScriptedServer('lost', 'lost');
  const answer = await server.writer().commit(unit());
  assert.is(answer.status, 'committed');
  assert.is(server.connections, 3);
  assert.is(server.discarded, 2);
  assert.equal(server.numbers, [1, 1, 1]);
  assert.equal(server.flushes[1], server.flushes[0]);
  assert.equal(server.flushes[2], server.flushes[0]);
});

test('when a unit of the flush cannot be stored, each is sent alone under a new number', async () => {
  const server = new ScriptedServer('data', undefined, 'data');
  const writer = server.writer();
  const answers = await Promise.all([1, 2, 3].map(() => writer.commit(unit()).catch(codeOf)));
  assert.equal(server.sizes, [3, 1, 1, 1]);
  assert.equal(server.numbers, [1, 2, 3, 4]);
  assert.is(server.discarded, 0);
  assert.is(answers[1], 'unexpected');
  assert.equal(
    [answers[0], answers[2]].map((answer) => typeof answer === 'object' && answer.status),
    ['committed', 'committed'],
  );
});

test('a unit that cannot be encoded does not affect others', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const bad = {
    ...unit(),
    outcome: { key: Buffer.of(1), fingerprint: Buffer.of(1), status: 1e9, body: null },
  };
  const answers = await Promise.all([unit(), bad].map((each) => writer.commit(each).catch(codeOf)));
  assert.is(answers[1], 'unexpected');
  assert.equal(answers[0], { status: 'committed', positions: [1], globalPositions: [1], recordedAt: '' });
});

test('a unit with an id that is already stored is a conflict', async () => {
  // The flush of both, the unit alone, and the same by the general call.
  const server = new ScriptedServer('taken', 'taken', 'taken');
  const writer = server.writer();
  const answers = await Promise.all([writer.commit(unit()), writer.commit(unit())]);
  assert.equal(
    answers.map(({ status }) => status),
    ['conflict', 'committed'],
  );
});

test('a refused flush is retried three times before the writer gives up', async () => {
  const server = new ScriptedServer('refused', 'refused', 'refused', 'refused');
  const writer = server.writer();
  assert.is(await writer.commit(unit()).catch(codeOf), 'store-unavailable');
  assert.equal(server.numbers, [1, 1, 1, 1]);
  assert.is((await writer.commit(unit())).status, 'committed');
});

test('a brief refusal does not fail the flush', async () => {
  const server = new ScriptedServer('refused', 'refused', 'refused');
  assert.is((await server.writer().commit(unit())).status, 'committed');
  assert.is(server.connections, 1);
});

test('the writer leaves a server that has become read-only, as the next connection may find the primary', async () => {
  const server = new ScriptedServer('read-only');
  assert.is((await server.writer().commit(unit())).status, 'committed');
  assert.is(server.connections, 2);
  const frozen = new ScriptedServer('read-only', 'read-only', 'read-only', 'read-only');
  assert.is(await frozen.writer().commit(unit()).catch(codeOf), 'store-unavailable');
  assert.is(frozen.discarded, 4);
});

test('a flush that was never sent is rejected when no other connection can be opened, and is not kept for later', async () => {
  const server = new ScriptedServer(undefined, 'unsent');
  const writer = server.writer();
  await writer.commit(unit());
  server.unreachable = Infinity;
  assert.is(await writer.commit(unit()).catch(codeOf), 'store-unavailable');
  server.unreachable = 0;
  await writer.commit(unit());
  assert.equal(server.numbers, [1, 2, 3]);
});

test('a conflict after a lost result of one event leaves the outcome unknown, and one of several does not', async () => {
  const conflict = ['{2}', '{NULL}', '{NULL}', ''] as const;
  const alone = new ScriptedServer('lost', conflict).writer();
  assert.is(await alone.commit(unit()).catch(codeOf), 'outcome-unknown');
  const several = new ScriptedServer('lost', conflict).writer();
  const two = { ...unit(), events: [...unit().events, ...unit().events] };
  assert.equal(await several.commit(two), { status: 'conflict' });
});

test('refusals after a lost result leave the outcome unknown', async () => {
  const server = new ScriptedServer('lost', 'refused', 'refused', 'refused', 'refused');
  assert.is(await server.writer().commit(unit()).catch(codeOf), 'outcome-unknown');
});

test('when no connection can be opened, the batch and all waiting units are rejected', async () => {
  const server = new ScriptedServer();
  server.unreachable = Infinity;
  const writer = server.writer({ unitsPerFlush: 1 });
  const codes = await Promise.all([1, 2, 3].map(() => writer.commit(unit()).catch(codeOf)));
  assert.equal(codes, ['store-unavailable', 'store-unavailable', 'store-unavailable']);
  assert.is(server.flushes.length, 0);
  server.unreachable = 0;
  assert.is((await writer.commit(unit())).status, 'committed');
});

test('a flush with an unknown outcome is kept while the server is unavailable; waiting units are rejected', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const lost = server.hold('lost');
  const first = writer.commit(unit());
  await lost.sent;
  const behind = writer.commit(unit()).catch(codeOf);
  server.unreachable = 3;
  lost.answer();
  assert.is(await behind, 'store-unavailable');
  assert.is((await first).status, 'committed');
  assert.equal(server.numbers, [1, 1]);
});
