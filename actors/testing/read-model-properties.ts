import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { expectedOf, losesRows, type RebuildScenario } from './rebuild-scenarios.js';

type Rows = Readonly<Record<string, readonly number[]>>;

/** What readers see of a perspective, and its state. */
export interface ReaderView {
  readonly rows: Rows;
  readonly state: string | undefined;
}

export interface ScenarioEnd {
  readonly isDone: boolean;
  /** Its events in the system stream. */
  readonly eventTypes: readonly string[];
  readonly isForced: boolean;
}

/** Readers see the old model or a complete new one, whatever happens; the events report which. */
export function propertiesOf(one: RebuildScenario, ids: readonly string[]) {
  const { change: way, force, bug } = one;
  const shown = (rows: ReturnType<typeof expectedOf>): Rows =>
    Object.fromEntries(
      ids.flatMap((id, stream) => {
        const { amounts = [] } = rows.get(stream) ?? {};
        return amounts.length === 0 ? [] : [[id, amounts]];
      }),
    );
  const [before, after] = [expectedOf(one, { fails: 'never' }, 1), expectedOf(one, bug, 10)];
  const [old, next] = [shown(before), shown(after)];
  const isLossy = losesRows(before, after);
  const isWhole = ({ rows }: ReaderView) => isSame(rows, old) || ((force || !isLossy) && isSame(rows, next));
  const isTransient = bug.fails === 'at first';
  // A failure that is over later may have parked a row by force, anywhere before its end.
  const isRenewed = (row: readonly number[] = [], whole: readonly number[] = []) =>
    isSame(row, isTransient && force ? whole.slice(0, row.length) : whole);
  // Each row on its own: unchanged, or renewed as far as it can be folded.
  const isEach = ({ rows }: ReaderView) =>
    ids.every((id) => isSame(rows[id], old[id]) || isRenewed(rows[id], next[id])) &&
    (force || Object.keys(rows).length >= Object.keys(old).length);
  return {
    between(seen: ReaderView): void {
      const isRight =
        way === RebuildMode.InPlace
          ? isWhole(seen) || seen.state === 'rebuilding'
          : way === RebuildMode.SelectedStreams
            ? isEach(seen)
            : isWhole(seen) || (isTransient && force);
      assert.ok(isRight, `meanwhile readers see ${JSON.stringify(seen)}`);
    },
    after(seen: ReaderView, { isDone, eventTypes, isForced }: ScenarioEnd): void {
      const ends = eventTypes.filter((name) => /Completed|Failed/.test(name));
      const expected = isDone ? 'Completed' : 'Failed';
      assert.ok(
        ends.length > 0 && ends.every((name) => name.endsWith(expected)),
        `${expected}, but the events are ${eventTypes.join(', ')}`,
      );
      assert.is(ends.length, way === 'version' ? 2 : 1);
      if (!isTransient) assert.is(isDone, force || !isLossy);
      if (!isTransient) assert.is(isForced, isDone && isLossy);
      if (isDone && !isForced && way !== RebuildMode.SelectedStreams)
        assert.equal(seen, { rows: next, state: undefined });
      if (isDone && isForced && !isTransient) assert.equal(seen.rows, next);
      if (isDone && way === RebuildMode.SelectedStreams && !isTransient) assert.ok(isEach(seen));
      if (isDone) return assert.is(seen.state, undefined);
      if (way === RebuildMode.InPlace) return assert.is(seen.state, 'incomplete');
      if (way === RebuildMode.SelectedStreams) return assert.ok(isEach(seen), JSON.stringify(seen));
      assert.equal(seen, { rows: old, state: undefined });
    },
  };
}

const isSame = (a: unknown, b: unknown): boolean => fc.stringify(a) === fc.stringify(b);
