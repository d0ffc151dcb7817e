import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';
import { codeOf, ScriptedServer, unit } from '../testing/scripted-server.js';

const test = suite('group commit writer');

test('concurrent units share a flush', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const answers = await Promise.all([1, 2, 3].map(() => writer.commit(unit())));
  assert.equal(server.sizes, [3]);
  assert.equal(
    answers.map((answer) => answer.status === 'committed' && answer.positions),
    [[1], [2], [3]],
  );
});

test('units that arrive during a flush wait for it and share the next one', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const first = server.hold();
  const answers = [writer.commit(unit())];
  await first.sent;
  answers.push(writer.commit(unit()), writer.commit(unit()));
  assert.is(writer.depth, 2);
  first.answer();
  await Promise.all(answers);
  assert.equal(server.sizes, [1, 2]);
});

test('every flush has its own number, and one writer', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  await writer.commit(unit());
  await writer.commit(unit());
  assert.equal(server.numbers, [1, 2]);
  assert.is(new Set(server.flushes.map(([id]) => id)).size, 1);
  assert.is(server.connections, 1);
});

test('when many units wait during a flush, a second connection sends them', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const first = server.hold();
  const answers = [writer.commit(unit())];
  await first.sent;
  const second = server.hold();
  for (let index = 0; index < 16; index++) answers.push(writer.commit(unit()));
  await second.sent;
  assert.equal(server.sizes, [1, 16]);
  assert.is(new Set(server.flushes.map(([id]) => id)).size, 2, 'each connection numbers its own flushes');
  second.answer();
  first.answer();
  await Promise.all(answers);
});

test('a tenant that has few units waits for one flush of a tenant that has many, not for the next one', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const [first, second] = [server.hold(), server.hold()];
  const loud = (count: number) =>
    Array.from({ length: count }, () => writer.commit({ ...unit(), tenant: 'loud' }));
  const quiet = () => writer.commit({ ...unit(), tenant: 'quiet' });
  const answers = loud(1);
  await first.sent;
  answers.push(...loud(100), quiet());
  await second.sent;
  first.answer();
  await answers[0];
  await quiet();
  assert.equal(server.sizes, [1, 33, 1]);
  second.answer();
  await Promise.all(answers);
});

test('a writer that found nothing to send still accepts the next unit, and closes', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  await writer.commit(unit(), AbortSignal.abort(new Problem('gone'))).catch(() => undefined);
  await writer.commit(unit());
  await writer.close();
  assert.equal(server.sizes, [1]);
});

test('a flush takes no more units than the limit', async () => {
  const server = new ScriptedServer();
  const writer = server.writer({ unitsPerFlush: 2 });
  await Promise.all([1, 2, 3, 4, 5].map(() => writer.commit(unit())));
  assert.equal(server.sizes, [2, 2, 1]);
});

test('a rejected unit is a result, not a failure', async () => {
  const server = new ScriptedServer(['{2}', '{NULL}', '{NULL}', ''], ['{3}', '{NULL}', '{NULL}', '']);
  const writer = server.writer();
  assert.equal(await writer.commit(unit()), { status: 'conflict' });
  assert.equal(await writer.commit(unit()), { status: 'key-taken' });
});

test('an abort before the seal removes the unit, and the others continue', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const controller = new AbortController();
  const aborted = writer.commit(unit(), controller.signal).catch(codeOf);
  const other = writer.commit(unit());
  controller.abort(new Problem('client-gone'));
  assert.is(await aborted, 'client-gone');
  assert.is((await other).status, 'committed');
  assert.equal(server.sizes, [1]);
});

test('an abort after the seal waits for the commit', async () => {
  const server = new ScriptedServer();
  const held = server.hold();
  const controller = new AbortController();
  const answer = server.writer().commit(unit(), controller.signal);
  await held.sent;
  controller.abort(new Problem('client-gone'));
  held.answer();
  assert.is((await answer).status, 'committed');
});

test('when the result takes 5 seconds longer than the abort, the outcome is unknown', () =>
  withFakeTimeouts(async (clock) => {
    const server = new ScriptedServer();
    const held = server.hold();
    const writer = server.writer();
    const controller = new AbortController();
    const answer = writer.commit(unit(), controller.signal).catch(codeOf);
    await held.sent;
    controller.abort(new Problem('client-gone'));
    clock.advance(5_000);
    assert.is(await answer, 'outcome-unknown');
    held.answer();
    await writer.close();
  }));

test('units beyond the queue limit are rejected with "overloaded"', async () => {
  const server = new ScriptedServer();
  const held = server.hold();
  const writer = server.writer({ waiting: 2 });
  const inFlight = writer.commit(unit());
  await held.sent;
  const waiting = [writer.commit(unit()), writer.commit(unit())];
  assert.is(await writer.commit(unit()).catch(codeOf), 'overloaded');
  held.answer();
  await Promise.all([inFlight, ...waiting]);
});

test('closing finishes waiting units, releases the connection and rejects new units', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const last = writer.commit(unit());
  const closing = writer.close();
  assert.is(await writer.commit(unit()).catch(codeOf), 'draining');
  assert.is((await last).status, 'committed');
  await closing;
  assert.is(server.discarded, 1);
});

test('closing does not wait for a server that has died: the outcome is unknown', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const lost = server.hold('lost');
  const answer = writer.commit(unit()).catch(codeOf);
  await lost.sent;
  server.unreachable = Infinity;
  const closing = writer.close();
  lost.answer();
  assert.is(await answer, 'outcome-unknown');
  await closing;
});

test('closing ends the wait for the next attempt', async () => {
  const server = new ScriptedServer();
  const writer = server.writer();
  const lost = server.hold('lost');
  const { random } = Math;
  // The wait would take hours.
  Math.random = () => 1e6;
  try {
    const answer = writer.commit(unit()).catch(codeOf);
    await lost.sent;
    server.unreachable = Infinity;
    lost.answer();
    await new Promise(setImmediate);
    await writer.close();
    assert.is(await answer, 'outcome-unknown');
  } finally {
    Math.random = random;
  }
});
