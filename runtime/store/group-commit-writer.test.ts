import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { SqlFailure } from '../database/sql-error.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';
import type { EncodedUnit } from './encode-unit.js';
import type { FlushRow } from './flush-call.js';
import { GroupCommitWriter, type WriterLimits } from './group-commit-writer.js';

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

type Script = SqlFailure | FlushRow | undefined;

/** Commits everything, unless its script defines another outcome for the next flush. */
class ScriptedServer {
  readonly flushes: (readonly unknown[])[] = [];
  connections = 0;
  discarded = 0;
  /** How many further connections will fail. */
  unreachable = 0;
  readonly #script: (Script | Promise<Script>)[];
  readonly #sent: (() => void)[] = [];
  #position = 0;

  constructor(...script: Script[]) {
    this.#script = script;
  }

  get numbers(): unknown[] {
    return this.flushes.map(([, number]) => number);
  }

  /** The number of units of each flush. */
  get sizes(): number[] {
    return this.flushes.map(sizeOf);
  }

  writer(limits?: WriterLimits): GroupCommitWriter {
    return new GroupCommitWriter(
      {
        host: 'test',
        connect: () => this.#connect(),
        failureOf: (error) => (error instanceof ScriptedFailure ? error.kind : 'lost'),
        unavailable: (cause) => new Problem('store-unavailable', { cause }),
      },
      limits,
    );
  }

  /** The next flush is answered only when the test allows it. */
  hold(outcome?: Script): { readonly sent: Promise<void>; answer(): void } {
    let answer: () => void = () => undefined;
    this.#script.push(new Promise((resolve) => (answer = () => resolve(outcome))));
    const sent = new Promise<void>((resolve) => this.#sent.push(resolve));
    return { sent, answer: () => answer() };
  }

  async #connect() {
    if (this.unreachable-- > 0) throw new Error('connect ECONNREFUSED');
    this.unreachable = 0;
    this.connections++;
    return {
      send: (parameters: readonly unknown[]) => this.#send(parameters),
      sendOne: (parameters: readonly unknown[]) => this.#send(parameters),
      discard: () => void this.discarded++,
    };
  }

  async #send(parameters: readonly unknown[]): Promise<FlushRow> {
    this.flushes.push(parameters);
    const scripted = this.#script.shift();
    if (scripted instanceof Promise) this.#sent.shift()?.();
    const outcome = await scripted;
    if (typeof outcome === 'string') throw new ScriptedFailure(outcome);
    return outcome ?? this.#committed(sizeOf(parameters));
  }

  #committed(units: number): FlushRow {
    const positions = Array.from({ length: units }, () => ++this.#position).join();
    return [`{${Array(units).fill(1).join()}}`, `{${positions}}`, `{${positions}}`, ''];
  }
}

class ScriptedFailure extends Error {
  constructor(readonly kind: SqlFailure) {
    super(kind);
  }
}

/** The length of the list of event counts, one per unit; a flush of one event has no lists. */
function sizeOf(parameters: readonly unknown[]): number {
  const counts = parameters[5];
  return Buffer.isBuffer(counts) ? counts.readInt32BE(12) : 1;
}

const unit = (): EncodedUnit => ({
  events: [
    { id: newUuid(), type: 'Happened', data: '{}', metadata: '{}', streamId: newUuid(), occurredAt: null },
  ],
  records: [],
  expected: new Map(),
  outcome: undefined,
  bytes: 100,
});

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));
