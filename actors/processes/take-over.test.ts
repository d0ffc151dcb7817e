import * as assert from 'uvu/assert';
import { type AnyStateMachine, raise } from 'xstate';
import { Command, Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryProcess } from '../kit/in-memory-process.js';
import { storedEvent } from '../../runtime/kit/stored-event.js';
import type { Process, ProcessSnapshot } from './process.js';
import type { StepOutcome } from './process-step.js';
import { processSetup, shape } from './process-setup.js';

const test = suite('versions of a process');

class LoanStarted extends Event {}
class BookReturned extends Event {}
class RemindReader extends Command {
  by!: string;
}

const parts = processSetup({
  events: { LoanStarted, BookReturned },
  commands: { RemindReader },
  context: shape<{ by: string }>(),
  delays: { dueTime: 1000 },
  raises: shape<{ type: 'nudge' }>(),
});

const started = storedEvent(new (class extends LoanStarted {})());
const start = { ...started, messageType: 'LoanStarted' };
const returned = { ...started, messageType: 'BookReturned' };

/** `waiting` for the book, then `late`; the command says which machine has sent it. */
const loan = (by: string, waiting = 'waiting', more: object = {}): AnyStateMachine =>
  (parts.createMachine as (config: object) => AnyStateMachine)({
    id: 'loan',
    context: { by },
    initial: waiting,
    states: {
      [waiting]: { after: { dueTime: 'late' }, on: { BookReturned: 'over' }, ...more },
      late: {
        entry: { type: 'send', params: () => RemindReader.of({ by }) },
        on: { BookReturned: 'over' },
      },
      over: { type: 'final' },
    },
  });

const process = (version: number, machine: AnyStateMachine, more: Partial<Process> = {}): Process => ({
  name: 'loan',
  version,
  machine,
  starts: [LoanStarted],
  key: () => 'one',
  ...more,
});

const first = process(1, loan('first'));

/** An instance that the first version has started, with its timer pending. */
async function running(by: Process = first): Promise<InMemoryProcess> {
  const run = new InMemoryProcess(by);
  await run.take(start);
  return run;
}

const parkedBy = (outcome: StepOutcome | undefined): string =>
  outcome?.kind === 'parked' ? `${outcome.problem.code}: ${outcome.problem.message}` : String(outcome?.kind);

test('an older instance is taken over when its states and timers still exist', async () => {
  const next = (await running()).deploy(process(2, loan('second')));
  await next.advance(1000);
  assert.equal(next.sent, [RemindReader.of({ by: 'second' })]);
  assert.is(next.row('one')?.state, 'late');
  assert.is(next.row('one')?.version, 2);
});

test('an instance of a newer version is not touched', async () => {
  const back = (await running(process(3, loan('third')))).deploy(process(2, loan('second')));
  const before = back.row('one');
  assert.is((await back.take(returned)).kind, 'newer-version');
  assert.equal(back.row('one'), before);
});

test('an instance runs to its end with the older machine that is given', async () => {
  const second = process(2, loan('second', 'renamed'), { older: { 1: loan('first') } });
  const next = (await running()).deploy(second);
  await next.advance(1000);
  assert.equal(next.sent, [RemindReader.of({ by: 'first' })]);
  assert.is(next.row('one')?.version, 1);
  await next.take(returned);
  assert.is(next.row('one')?.status, 'ended');
});

test('an instance whose state is gone is parked and keeps everything, and an older machine can be added later', async () => {
  const next = (await running()).deploy(process(2, loan('second', 'renamed')));
  assert.is(
    parkedBy(await next.take(returned)),
    'process-version: loan of version 1 cannot continue with version 2: its state "waiting" is not one of the machine; add older: { 1: machine } or migrate().',
  );
  assert.is(next.row('one')?.status, 'parked');
  assert.is(next.row('one')?.version, 1);
  assert.is(next.timers().length, 1);
  const mended = next.deploy(process(2, loan('second', 'renamed'), { older: { 1: loan('first') } }));
  await mended.take(returned);
  assert.is(mended.row('one')?.status, 'ended');
});

test('an instance whose pending timer is unknown in its state is parked: the timer would be lost in silence', async () => {
  const untimed = loan('second', 'waiting', { after: {} });
  const next = (await running()).deploy(process(2, untimed));
  await next.advance(1000);
  assert.match(
    parkedBy(next.outcomes.at(-1)),
    /its timer xstate\.after\.dueTime\.loan\.waiting is unknown in the state where it waits/,
  );
});

test('a raised event that is pending must be known to the new machine', async () => {
  const nudging = { entry: raise({ type: 'nudge' }, { delay: 10, id: 'n' }) };
  const old = process(1, loan('first', 'waiting', nudging));
  const next = (await running(old)).deploy(process(2, loan('second')));
  assert.match(parkedBy(await next.take(returned)), /its timer n is unknown/);
  const knows = loan('second', 'waiting', { on: { nudge: 'late' } });
  const other = (await running(old)).deploy(process(2, knows));
  await other.advance(10);
  assert.is(other.row('one')?.state, 'late');
});

test('an instance in a state that has got children since is parked: they would be entered without their timers', async () => {
  const nested = { initial: 'a', states: { a: { after: { 5: 'b' } }, b: {} } };
  const next = (await running()).deploy(process(2, loan('second', 'waiting', nested)));
  assert.match(parkedBy(await next.take(returned)), /its state "waiting" has changed in the machine/);
});

test('a migrated instance whose timer keeps the name of the old state is parked, and the line says who must change it', async () => {
  const migrate = (snapshot: ProcessSnapshot): ProcessSnapshot => ({ ...snapshot, value: 'lent' });
  const next = (await running()).deploy(process(2, loan('second', 'lent'), { migrate }));
  assert.is(
    parkedBy(await next.take(returned)),
    'process-version: loan of version 1 cannot continue with version 2: its timer xstate.after.dueTime.loan.waiting is unknown in the state where it waits; migrate() must change it.',
  );
});

test('migrate moves an instance to a renamed state, and its timer with it', async () => {
  const from = 'xstate.after.dueTime.loan.waiting';
  const to = 'xstate.after.dueTime.loan.lent';
  const seen: number[] = [];
  const migrate = ({ timers, ...rest }: ProcessSnapshot, version: number): ProcessSnapshot => {
    seen.push(version);
    const { [from]: due, ...others } = timers;
    return { ...rest, value: 'lent', timers: due === undefined ? others : { ...others, [to]: due } };
  };
  const second = process(2, loan('second', 'lent'), { migrate });
  const fired = (await running()).deploy(second);
  await fired.advance(1000);
  assert.equal([...new Set(seen)], [1]);
  assert.is(fired.row('one')?.state, 'late');
  assert.is(fired.row('one')?.version, 2);
  assert.equal(fired.timers(), []);

  const back = (await running()).deploy(second);
  await back.take(returned);
  assert.is(back.row('one')?.status, 'ended');
  assert.equal(back.timers(), [], 'the renamed timer is ended');
});

test('a timer that migrate leaves out is ended', async () => {
  const migrate = (snapshot: ProcessSnapshot): ProcessSnapshot => ({
    ...snapshot,
    value: 'late',
    timers: {},
  });
  const next = (await running()).deploy(process(2, loan('second'), { migrate }));
  const outcome = await next.take(start);
  assert.is(outcome.kind, 'stepped', 'the migration is stored, even if the event is not taken');
  assert.is(next.row('one')?.state, 'late');
  assert.equal(next.timers(), []);
});

test('a migration that is no JSON or leads to no state parks the instance', async () => {
  for (const [migrate, detail] of [
    [() => ({ value: 'gone' }), /its state "gone" is not one of the machine/],
    [() => ({ context: new Date(0) }), /the migrated snapshot\.context is an instance of Date/],
    [() => undefined, /the migrated snapshot is undefined/],
  ] as const) {
    const more = { migrate: migrate as unknown as NonNullable<Process['migrate']> };
    const next = (await running()).deploy(process(2, loan('second'), more));
    assert.match(parkedBy(await next.take(returned)), detail);
    assert.is(next.row('one')?.state, 'waiting');
  }
});

test('an instance of the same version whose state is gone is parked, never reset', async () => {
  const next = (await running()).deploy(process(1, loan('first', 'renamed')));
  assert.match(parkedBy(await next.take(start)), /^process-version: /);
  assert.is(next.row('one')?.state, 'waiting');
});
