import type { StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { UnitLists } from '../../contracts/unit-lists.js';
import type { StagedEvent, StagedRecord, Unit } from '../../contracts/unit-store.js';
import { StagedLists } from './staged-lists.js';

/** The part of a step that one command has staged. */
export interface StagedPart extends Unit {
  readonly deferred: readonly (() => void | Promise<void>)[];
  stagedEvents(streamId: Uuid, position: Long): Iterable<StoredEvent>;
}

/** The commands of one step of a reaction, process or timer: their units are committed as one. */
export class StagedStep {
  readonly countsAsStored = false;
  readonly #parts: StagedPart[] = [];

  get parts(): readonly StagedPart[] {
    return this.#parts;
  }

  add(part: StagedPart): void {
    this.#parts.push(part);
  }

  /** Discards whatever was staged after this number of commands, because the command that invoked them has failed. */
  discardAfter(length: number): readonly StagedPart[] {
    return this.#parts.splice(length);
  }

  /** The number of events that earlier commands have staged for a stream. */
  heightOf(streamId: Uuid): number {
    let height = 0;
    for (const { events } of this.#parts)
      for (const event of events) if (event.streamId === streamId) height++;
    return height;
  }

  /** The events that earlier commands have staged for a stream that is stored up to this position. */
  *eventsOf(streamId: Uuid, position: Long): Iterable<StoredEvent> {
    let at = position;
    for (const part of this.#parts) {
      for (const event of part.stagedEvents(streamId, at)) {
        at = event.streamPosition;
        yield event;
      }
    }
  }

  /** One unit of all commands; expected positions are those before the step. */
  unit(lists: Partial<UnitLists>, records: readonly StagedRecord[] = []): Unit {
    const expected = new Map<Uuid, Long>();
    for (const part of this.#parts)
      for (const [streamId, position] of part.expected) {
        const known = expected.get(streamId);
        if (known !== undefined && known !== position) throw movedOn(streamId, known, position);
        expected.set(streamId, position);
      }
    const events = this.#parts.flatMap((part): readonly StagedEvent[] => part.events);
    const staged = this.#parts.flatMap((part) => part.records);
    return { events, records: [...staged, ...records], expected, lists: this.#listsWith(lists) };
  }

  /** A command may reset the timer that the step ends, and may cancel a timer that an earlier command has set. */
  #listsWith(own: Partial<UnitLists>): UnitLists {
    const all = new StagedLists();
    for (const { lists } of [{ lists: own }, ...this.#parts]) if (lists !== undefined) all.add(lists);
    return all;
  }
}

const movedOn = (streamId: Uuid, known: Long, position: Long): Problem =>
  new Problem('stream-conflict', {
    detail: `Stream ${streamId} moved on from ${known} to ${position} between two commands of a step.`,
  });
