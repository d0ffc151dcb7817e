import { setMaxListeners } from 'node:events';
import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import type { HandledEvent, HeldCursor, UnitLists } from '../../contracts/unit-lists.js';
import type { Unit } from '../../contracts/unit-store.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { log } from '../../runtime/logging/log.js';
import type { LogEntry } from '../../runtime/log/log-entry.js';
import { Line } from '../../runtime/reactions/line.js';
import type { LineEffect, Marks } from '../../runtime/reactions/line-effects.js';
import { maxAhead } from '../../runtime/reactions/line-window.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import { Alarm } from '../follow/alarm.js';
import type { CursorPorts } from './cursor-ports.js';
import { type Cursor, CursorReader } from './cursor-reader.js';
import { ReleasedKeys } from './released-keys.js';
import { Tasks } from './tasks.js';
import { type RanStep, reactionFailed, type RunningStep, StepAttempt } from './step-attempt.js';
import { isConflict } from '../commands/passing-errors.js';
import { isRefusal, Unhandled } from '../steps/step-errors.js';
import { lineOf, loggedFailure, stepFailure } from '../steps/step-failure.js';

/** A host has ten seconds to stop, also without its database. */
const endWithinMs = 3_000;

/** A cursor from the moment that this host takes it until another one does. */
export class CursorRun {
  readonly #stopping = new Cancellation();
  readonly #steps = new Map<Long, RunningStep>();
  readonly #alarm = new Alarm();
  readonly #tasks = new Tasks(
    (error) => this.#fail(error),
    () => this.#alarm.ring(),
  );
  readonly #reader: CursorReader;
  readonly #released: ReleasedKeys;
  #line: Line<LogEntry> | undefined;
  #held: HeldCursor | undefined;
  #failure: unknown;
  #isOver = false;
  #hasGrown = true;

  constructor(
    private readonly ports: CursorPorts,
    private readonly cursor: Cursor,
  ) {
    // Every step that waits listens to it.
    setMaxListeners(0, this.#stopping.realSignal);
    this.#reader = new CursorReader(ports.log, cursor, this.ports.figures);
    this.#released = new ReleasedKeys(ports.reactions, cursor.name);
  }

  /** What is known of it; undefined until the cursor is taken. */
  get line(): Pick<Line<LogEntry>, 'settledTo' | 'read' | 'parkedKeys'> | undefined {
    return this.#line;
  }

  /** The log has grown. */
  wake(): void {
    this.#hasGrown = true;
    this.#alarm.ring();
  }

  stop(): void {
    this.#isOver = true;
    this.#stopping.abort(new Problem('draining'));
    this.#alarm.ring();
  }

  /** Resolves when another host has taken the cursor, or after `stop`. */
  async run(): Promise<void> {
    const { reactions } = this.ports;
    const { name, work } = this.cursor;
    const { realSignal: signal } = this.#stopping;
    const progress = await reactions.takeCursor(name, work.start, this.ports.version, signal);
    const line = (this.#line = new Line<LogEntry>(progress, await this.#released.taken(), work.attempts));
    this.#held = { name, epoch: progress.epoch, settledTo: () => line.settledTo() };
    try {
      while (!this.#isOver) {
        this.#perform(line);
        if (this.#hasGrown && line.outstanding < maxAhead) await this.#read(line);
        else await this.#alarm.sleep();
      }
    } finally {
      await this.#end();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Looks for parked keys that were released. */
  async look(): Promise<void> {
    if (this.#line === undefined || this.#isOver) return;
    await this.#released.look(this.#line, () => this.#alarm.ring(), this.#stopping.realSignal);
  }

  /** A mark that moves an idle cursor past what it has read; undefined: it is there already. */
  idleMark(): HandledEvent | undefined {
    const cursor = this.#held;
    const handled = this.#isOver ? undefined : this.#line?.advance()?.handled;
    return handled && cursor && { cursor, ...handled };
  }

  /** Commits such a mark alone. */
  advance(mark: HandledEvent): void {
    this.#tasks.run(this.#commitUnit(new StagedStep().unit({ handled: [mark] })));
  }

  async #read(line: Line<LogEntry>): Promise<void> {
    this.#hasGrown = false;
    const { events, to, isLast } = await this.#reader.page(line.read);
    if (this.#isOver) return;
    this.#hasGrown ||= !isLast;
    for (const { key, entry } of events) line.offer(entry.event.globalPosition, key, entry);
    line.readTo(to);
  }

  #perform(line: Line<LogEntry>): void {
    for (let effects = line.take(); effects.length > 0; effects = line.take())
      for (const effect of effects) this.#effect(line, effect);
  }

  #effect(line: Line<LogEntry>, effect: LineEffect<LogEntry>): void {
    switch (effect.do) {
      case 'run':
        return this.#tasks.run(this.#runStep(line, effect.position, effect.key, effect.item));
      case 'commit':
        return this.#tasks.run(this.#commitStep(line, effect.position, effect.key, effect.marks));
      case 'mark':
        return this.#tasks.run(this.#commitMark(line, effect.position, effect.key, effect.marks));
      case 'find':
        return this.#tasks.run(this.#find(line, effect.after, effect.upTo));
      case 'wait':
        return this.#alarm.ringAfter(effect.ms, () => line.due(effect.key));
    }
  }

  async #runStep(
    line: Line<LogEntry>,
    position: Long,
    key: string,
    item: LogEntry | undefined,
  ): Promise<void> {
    const { signal } = this.#stopping;
    // The events of keys that are aside are read again.
    const leave = await this.ports.inFlight.enter(this.cursor.work.name, item === undefined);
    try {
      signal.throwIfAborted();
      const known = this.#steps.get(position);
      const entry = known?.attempt.entry ?? item ?? (await this.#reader.entryAt(position));
      const running: RunningStep = known ?? {
        attempt: new StepAttempt(this.ports, this.cursor.work, entry, signal),
        leave,
      };
      running.leave = leave;
      this.#steps.set(position, running);
      const { attempt } = running;
      const ran = (running.ran = this.#released.isGivenUp(position) ? attempt.pass() : await attempt.run());
      if (this.#isOver) return discard(running);
      if (ran.additions === undefined) this.#passed(line, position, key, ran, leave);
      else line.ran(position, key);
    } catch (error) {
      leave();
      if (!this.#isOver) this.#failed(line, position, key, error);
    }
  }

  #passed(line: Line<LogEntry>, position: Long, key: string, { outcome }: RanStep, leave: () => void): void {
    if (!line.passed(position, key)) return;
    leave();
    this.#steps.delete(position);
    this.ports.figures.count(outcome);
  }

  #failed(line: Line<LogEntry>, position: Long, key: string, error: unknown): void {
    const step = this.#steps.get(position);
    const failure = stepFailure(error, step?.attempt.hidden);
    if (step !== undefined) step.failure = failure;
    log.error(
      { reaction: this.cursor.work.name, key, err: loggedFailure(failure, error) },
      'a reaction failed; its key is set aside',
    );
    line.failed(position, key, { error: lineOf(failure), park: error instanceof Unhandled });
  }

  async #commitStep(line: Line<LogEntry>, position: Long, key: string, marks: Marks): Promise<void> {
    const running = this.#steps.get(position);
    const ran = running?.ran;
    if (running === undefined || ran === undefined) return;
    running.isCommitting = true;
    try {
      const { lists, records } = ran.additions ?? {};
      const unit = ran.step.staged.unit({ ...lists, ...this.#listsOf(marks) }, records);
      await this.#commitUnit(unit);
      this.ports.figures.committed(running.attempt.entry.event.recordedAt, unit);
    } catch (error) {
      discard(running);
      running.isCommitting = false;
      return this.#notCommitted(line, position, key, running, error);
    }
    running.leave();
    ran.step.stored();
    ran.additions?.committed?.();
    this.#steps.delete(position);
    this.ports.figures.count(ran.outcome);
    if (!this.#isOver) line.committed(position, key);
  }

  #notCommitted(
    line: Line<LogEntry>,
    position: Long,
    key: string,
    { attempt }: RunningStep,
    error: unknown,
  ): void {
    if (!isConflict(error) && !isRefusal(error)) throw error;
    if (this.#isOver) return;
    try {
      if (isRefusal(error)) attempt.refusedAtCommit(error);
      else attempt.conflicted(error);
    } catch (fault) {
      return this.#failed(line, position, key, fault);
    }
    line.conflicted(position, key);
  }

  async #commitMark(line: Line<LogEntry>, position: Long, key: string, marks: Marks): Promise<void> {
    const { attempt, failure } = this.#steps.get(position) ?? {};
    const failed = attempt && failure && reactionFailed(attempt, failure, marks);
    const record = failed && this.ports.recordOf(failed);
    await this.#commitUnit(new StagedStep().unit(this.#listsOf(marks), record === undefined ? [] : [record]));
    // What is still running continues from there.
    if (this.#steps.get(position)?.failure !== undefined) {
      this.#steps.delete(position);
      this.ports.figures.count(marks.aside?.state === 'parked' ? 'parked' : 'failed');
    }
    if (!this.#isOver) line.committed(position, key);
  }

  async #find(line: Line<LogEntry>, after: ReadonlyMap<string, Long>, upTo: Long): Promise<void> {
    const found = await this.#reader.find(after, upTo, (read) => {
      this.#stopping.signal.throwIfAborted();
      return this.ports.inFlight.retries.inTurn(read);
    });
    if (this.#isOver) return;
    for (const [key, { positions, all }] of found) line.found(key, positions, all);
  }

  #listsOf({ handled, aside }: Marks): Partial<UnitLists> {
    const cursor = this.#held;
    if (cursor === undefined) return {};
    return {
      ...(handled === undefined ? {} : { handled: [{ cursor, ...handled }] }),
      ...(aside === undefined ? {} : { aside: [{ cursor, ...aside }] }),
    };
  }

  async #commitUnit(unit: Unit): Promise<void> {
    failpoint('reaction-before-commit');
    await this.ports.store.commit(unit);
    failpoint('reaction-after-commit');
    this.ports.committed(unit.records);
  }

  /** Whatever a commit answers that no rule covers: what this host knows may be wrong. */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    if (!(error instanceof Problem && error.code === 'overtaken')) this.#failure = error;
    this.stop();
  }

  /** Commits on their way end first; what ran and was not sent is thrown away. */
  async #end(): Promise<void> {
    this.stop();
    this.#alarm.clear();
    for (const running of this.#steps.values()) if (running.isCommitting !== true) discard(running);
    // A commit whose outcome is not known yet needs no one to wait for it: its mark says whether it was stored.
    await this.#tasks.allEnded(endWithinMs);
  }
}

function discard({ ran, leave }: RunningStep): void {
  ran?.step.discardAfter(0);
  leave();
}
