import * as fc from 'fast-check';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Event } from '../../contracts/message.js';
import { type AnyPerspective, RebuildMode } from '../../contracts/perspective.js';

/** How `apply` fails in the code that rebuilds, or in the new version. */
type Bug =
  | { readonly fails: 'never' | 'always' }
  | { readonly fails: 'at an amount'; readonly amount: number }
  | { readonly fails: 'for a stream'; readonly stream: number }
  | { readonly fails: 'at first'; readonly calls: number };

export interface RebuildScenario {
  /** The stream and the amount; 13 fails in every version. */
  readonly events: readonly (readonly [stream: number, amount: number])[];
  readonly bug: Bug;
  /** A new version of the perspective, or a rebuild of the existing one. */
  readonly change: RebuildMode | 'version';
  readonly force: boolean;
  /** After how many statements each process dies; the last one survives. */
  readonly crashesAfter: readonly number[];
}

const streams = 4;

export const anyRebuildScenario: fc.Arbitrary<RebuildScenario> = fc.record({
  events: fc.array(
    fc.tuple(
      fc.nat(streams - 1),
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.constant(13)),
    ),
    { minLength: 1, maxLength: 20 },
  ),
  bug: fc.oneof(
    fc.record({ fails: fc.constantFrom('never' as const, 'always' as const) }),
    fc.record({ fails: fc.constant('at an amount' as const), amount: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ fails: fc.constant('for a stream' as const), stream: fc.nat(streams - 1) }),
    fc.record({ fails: fc.constant('at first' as const), calls: fc.integer({ min: 1, max: 30 }) }),
  ),
  change: fc.constantFrom('version' as const, ...Object.values(RebuildMode)),
  force: fc.boolean(),
  crashesAfter: fc.array(fc.nat(70), { maxLength: 2 }),
});

/** A row as the log folds it: its content, and the event that stopped it. */
interface Expected {
  readonly amounts: readonly number[];
  readonly stoppedAt: number | undefined;
}

export function expectedOf(play: RebuildScenario, bug: Bug, factor: number): ReadonlyMap<number, Expected> {
  const rows = new Map<number, Expected>();
  for (const [index, [stream, amount]] of play.events.entries()) {
    const { amounts, stoppedAt } = rows.get(stream) ?? { amounts: [], stoppedAt: undefined };
    if (stoppedAt !== undefined) continue;
    const fails = amount === 13 || isHit(bug, stream, amount);
    rows.set(
      stream,
      fails ? { amounts, stoppedAt: index } : { amounts: [...amounts, amount * factor], stoppedAt },
    );
  }
  return rows;
}

/** Rows that stop at an event which the old model had folded. */
export const losesRows = (old: ReadonlyMap<number, Expected>, next: ReadonlyMap<number, Expected>): boolean =>
  [...next].some(
    ([stream, { stoppedAt = Infinity }]) => stoppedAt < (old.get(stream)?.stoppedAt ?? Infinity),
  );

const isHit = (bug: Bug, stream: number, amount: number): boolean =>
  bug.fails === 'always' ||
  (bug.fails === 'at an amount' && bug.amount === amount) ||
  (bug.fails === 'for a stream' && bug.stream === stream);

interface Model {
  readonly amounts: readonly number[];
}

/** The perspective of a scenario; its code can change like that of a new build. */
export function scenarioPerspective(number: number, ids: readonly string[]) {
  // A type of its own: the scenarios share a log.
  const type = class extends Event {};
  Object.defineProperty(type, 'name', { value: `Played${number}` });
  const code: { bug: Bug; factor: number; calls: number } = { bug: { fails: 'never' }, factor: 1, calls: 0 };
  const apply = (model: unknown, { payload, streamId }: StoredEvent): Model => {
    const { amounts } = model as Model;
    const { amount } = payload as { readonly amount: number };
    const { bug, factor } = code;
    const isFirst = bug.fails === 'at first' && code.calls++ < bug.calls;
    if (isFirst || amount === 13 || isHit(bug, ids.indexOf(streamId), amount))
      throw new RangeError(`cannot apply ${amount}`);
    return { amounts: [...amounts, amount * factor] };
  };
  const perspective = (version: number): AnyPerspective => ({
    name: `played-${number}`,
    events: [type],
    initial: (): Model => ({ amounts: [] }),
    apply,
    version,
    snapshotEvery: 2,
  });
  return { type: type.name, perspective, code };
}
