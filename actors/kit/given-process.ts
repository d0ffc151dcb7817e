import { deepStrictEqual, fail } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { StoredEvent } from '../../contracts/event-store.js';
import { type Command, type Event, type MessageClass, typeNameOf } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Duration } from '../../contracts/scalars.js';
import { millisecondsOf } from '../../runtime/timers/duration.js';
import { describedCommand, mustReach, nextMillisecond } from '../../runtime/kit/given-reaction.js';
import { storedEvent } from '../../runtime/kit/stored-event.js';
import { checkProcess, keyOf } from '../processes/check-process.js';
import type { Process } from '../processes/process.js';
import { messagesOf } from '../processes/process-setup.js';
import { InMemoryProcess } from './in-memory-process.js';

export interface GivenProcess {
  /** Lets receptors refuse every command of a type. */
  refusing(command: MessageClass<Command>, code: string): GivenProcess;
  /** These events happen, one after the other. */
  when(...events: readonly (Event | StoredEvent)[]): WhenProcess;
}

/** Every step runs twice: what a process decides must not depend on the time of day, or on new ids. */
export interface WhenProcess extends PromiseLike<void> {
  when(...events: readonly (Event | StoredEvent)[]): WhenProcess;
  /** Time passes; what is due happens, in order. */
  after(duration: Duration): WhenProcess;
  /** Exactly these commands were sent since the last `when` or `after`, in this order; refused ones do not count. */
  thenSends(...commands: readonly Command[]): WhenProcess;
  /** Exactly these were invoked since the last `when`, `after` or `answered`, in this order. */
  thenAsks(...requests: readonly Command[]): WhenProcess;
  /** What was invoked first, and has not ended, ends with these events, which happen too; or it is given up. */
  answered(...outcome: readonly Event[] | readonly [refused: Problem]): WhenProcess;
  /** The instance of the last event is in this state: `releasing`, `open.waiting`, `stock.there, payment.due`. */
  thenIn(state: string): WhenProcess;
  /** The last event or timer parked the process with this problem. */
  thenParks(code: string): WhenProcess;
}

/** Tests a process without a server: `given(process).when(created).after('PT15M').thenSends(…).thenIn('releasing')`. */
export function givenProcess(process: Process): GivenProcess {
  checkProcess(process);
  return refusingAll(process, new Map());
}

const refusingAll = (process: Process, codes: ReadonlyMap<string, string>): GivenProcess => ({
  refusing: (command, code) => refusingAll(process, new Map([...codes, [typeNameOf(command), code]])),
  when: (...events) => {
    const refusal = (command: Command) => {
      const code = codes.get(command.constructor.name);
      return code === undefined ? undefined : new Problem(code, { status: 409 });
    };
    const scenario = new Scenario(process, [
      new InMemoryProcess(process, refusal),
      new InMemoryProcess(process, refusal),
    ]);
    return scenarioAfter(scenario, Promise.resolve()).when(...events);
  },
});

/** Runs at once: a chain that nobody awaits fails as an unhandled rejection. */
function scenarioAfter(scenario: Scenario, before: Promise<void>): WhenProcess {
  const next = (task: () => void | Promise<void>) => scenarioAfter(scenario, before.then(task));
  return {
    when: (...events) => next(() => scenario.take(events)),
    after: (duration) => next(() => scenario.wait(duration)),
    thenSends: (...commands) => next(() => scenario.mustHaveSent(commands)),
    thenAsks: (...requests) => next(() => scenario.mustHaveAsked(requests)),
    answered: (...outcome) => next(() => scenario.answer(outcome)),
    thenIn: (state) => next(() => scenario.mustBeIn(state)),
    thenParks: (code) => next(() => scenario.mustBeParked(code)),
    then: (...callbacks) => before.then(...callbacks),
  };
}

type Pair = readonly [first: InMemoryProcess, again: InMemoryProcess];

class Scenario {
  #key = '';
  #seen = { sent: 0, asked: 0 };

  constructor(
    private readonly process: Process,
    private readonly runs: Pair,
  ) {}

  async take(events: readonly (Event | StoredEvent)[]): Promise<void> {
    const { name, machine } = this.process;
    const stored = storedEvents(events);
    for (const event of stored)
      mustReach(`process ${name}`, Object.values(messagesOf(machine)?.events ?? {}), event);
    await this.#act((run) => takeAll(run, stored));
    const last = stored.at(-1);
    if (last !== undefined) this.#key = keyOf(this.process, last);
  }

  answer(outcome: readonly Event[] | readonly [Problem]): Promise<void> {
    const [refused] = outcome;
    const { events } = this.process.machine;
    const seen = storedEvents(
      outcome.flatMap((one) => (!(one instanceof Error) && events.includes(one.constructor.name) ? one : [])),
    );
    return this.#act(async (run) => {
      await run.answer(refused instanceof Problem ? refused : (outcome as readonly Event[]));
      await takeAll(run, seen);
    });
  }

  wait(duration: Duration): Promise<void> {
    const ms = millisecondsOf(duration, 'after');
    return this.#act((run) => run.advance(ms));
  }

  mustHaveSent(expected: readonly Command[]): void {
    this.#mustNotBeParked();
    const [{ sent }] = this.runs;
    deepStrictEqual(sent.slice(this.#seen.sent).map(describedCommand), expected.map(describedCommand));
  }

  mustHaveAsked(expected: readonly Command[]): void {
    this.#mustNotBeParked();
    const [{ asked }] = this.runs;
    deepStrictEqual(
      asked.slice(this.#seen.asked),
      expected.map((command) => ({
        type: command.constructor.name,
        body: JSON.parse(JSON.stringify(command)) as unknown,
      })),
    );
  }

  mustBeIn(state: string): void {
    this.#mustNotBeParked();
    const [run] = this.runs;
    deepStrictEqual(run.row(this.#key)?.state, state);
  }

  mustBeParked(code: string): void {
    deepStrictEqual(this.#problem()?.code, code);
  }

  async #act(act: (run: InMemoryProcess) => Promise<void>): Promise<void> {
    const [first, again] = this.runs;
    this.#seen = { sent: first.sent.length, asked: first.asked.length };
    await act(first);
    await nextMillisecond();
    await act(again);
    if (isDeepStrictEqual(decided(first), decided(again))) return;
    throw new Problem('invalid-setup', {
      detail: `The process ${this.process.name} decides differently when a step runs again: it must not read the clock or make ids.`,
    });
  }

  #problem(): Problem | undefined {
    const last = this.runs[0].outcomes.at(-1);
    return last?.kind === 'parked' ? last.problem : undefined;
  }

  #mustNotBeParked(): void {
    const problem = this.#problem();
    if (problem !== undefined) fail(`The process is parked: ${problem.code}: ${problem.message}`);
  }
}

const storedEvents = (events: readonly (Event | StoredEvent)[]): readonly StoredEvent[] =>
  events.map((event, index) => storedEvent(event, index + 1));

async function takeAll(run: InMemoryProcess, events: readonly StoredEvent[]): Promise<void> {
  for (const event of events) await run.take(event);
}

const decided = ({ sent, outcomes }: InMemoryProcess): unknown => [
  sent.map(describedCommand),
  outcomes.map((outcome) => ('lists' in outcome ? outcome.lists : outcome.kind)),
];
