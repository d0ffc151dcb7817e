import { Problem } from '../../contracts/problems.js';
import { isLong, type Long } from '../../contracts/scalars.js';
import type { HeldCursor } from '../../contracts/unit-lists.js';
import type { BoundValue } from '../database/bind-frame.js';
import { bigints, booleans, ints, jsons, micros, smallints, texts, uuids } from './binary-arrays.js';
import type { EncodedLists } from './encode-lists.js';
import type { EncodedUnit } from './encode-unit.js';

export const listParameterCount = 51;

export const hasLists = (units: readonly EncodedUnit[]): boolean =>
  units.some((unit) => unit.lists !== undefined);

/** What `svc_commit_v4` takes beyond `svc_commit_v3`. */
export function listParameters(units: readonly EncodedUnit[]): BoundValue[] {
  const cursors = new Cursors();
  const [h, a, t] = [entries(units, 'handled'), entries(units, 'aside'), entries(units, 'timers')];
  const [x, n, m] = [entries(units, 'ended'), entries(units, 'reservations'), entries(units, 'processes')];
  const handledBy = h.list.map(({ cursor }) => cursors.indexOf(cursor));
  const asideOf = a.list.map(({ cursor }) => cursors.indexOf(cursor));
  return [
    ...[String(isMixed(units)), ...cursors.parameters()],
    ...[ints(h.units), ints(handledBy)],
    ...[bigints(h.list.map(({ position }) => position)), texts(h.list.map(({ key }) => key))],
    ...[ints(a.units), ints(asideOf), texts(a.list.map(({ key }) => key))],
    ...[bigints(a.list.map(({ from }) => from)), bigints(a.list.map(({ next }) => next))],
    ...[texts(a.list.map(({ state }) => state)), ints(a.list.map(({ attempts }) => attempts))],
    ...[bigints(a.list.map(({ retryInMs }) => retryInMs)), texts(a.list.map(({ error }) => error))],
    ...[ints(t.units), ...timerParameters(t.list)],
    ...[ints(x.units), uuids(x.list.map(({ id }) => id)), micros(x.list.map(({ firedAt }) => firedAt))],
    ...[ints(n.units), uuids(n.list.map(({ key }) => key)), texts(n.list.map(({ name }) => name))],
    ...[texts(n.list.map(({ released }) => released)), texts(n.list.map(({ owner }) => owner))],
    bigints(n.list.map(({ forMs }) => forMs ?? -1)),
    ...[ints(m.units), texts(m.list.map(({ name }) => name)), texts(m.list.map(({ key }) => key))],
    ...[bigints(m.list.map(({ revision }) => revision)), ints(m.list.map(({ version }) => version))],
    ...[texts(m.list.map(({ state }) => state)), texts(m.list.map(({ status }) => status))],
    ...[jsons(m.list.map(({ snapshot }) => snapshot)), jsons(m.list.map(({ trail }) => trail))],
    texts(m.list.map(({ error }) => error)),
  ];
}

const timerParameters = (timers: EncodedLists['timers']): BoundValue[] => [
  uuids(timers.map(({ id }) => id)),
  smallints(timers.map(({ part }) => part)),
  texts(timers.map(({ kind }) => kind)),
  texts(timers.map(({ name }) => name)),
  texts(timers.map(({ key }) => key)),
  bigints(timers.map(({ inMs }) => inMs ?? -1)),
  micros(timers.map(({ at }) => at)),
  booleans(timers.map(({ keep }) => keep)),
  bigints(timers.map(({ expiresMs }) => expiresMs ?? -1)),
  ints(timers.map(({ attempts }) => attempts)),
  booleans(timers.map(({ parked }) => parked)),
  texts(timers.map(({ error }) => error)),
  jsons(timers.map(({ data }) => data)),
  jsons(timers.map(({ context }) => context)),
];

type ListName = Exclude<keyof EncodedLists, 'bytes'>;

/** One list of all units, and the unit of each entry. */
function entries<Name extends ListName>(units: readonly EncodedUnit[], name: Name) {
  const list: EncodedLists[Name][number][] = [];
  const owners: number[] = [];
  units.forEach((unit, index) => {
    for (const entry of unit.lists?.[name] ?? []) {
      list.push(entry);
      owners.push(index + 1);
    }
  });
  return { list, units: owners };
}

/** The cursors of a flush. What is settled is asked for now, when it is known which units are on their way. */
class Cursors {
  readonly #known = new Map<string, { readonly index: number; readonly cursor: HeldCursor; low: Long }>();

  indexOf(cursor: HeldCursor): number {
    const name = `${cursor.epoch} ${cursor.name}`;
    const low = settledTo(cursor);
    const known = this.#known.get(name);
    if (known === undefined) this.#known.set(name, { index: this.#known.size + 1, cursor, low });
    else known.low = Math.max(known.low, low);
    return known?.index ?? this.#known.size;
  }

  parameters(): BoundValue[] {
    const cursors = [...this.#known.values()];
    return [
      texts(cursors.map(({ cursor }) => cursor.name)),
      ints(cursors.map(({ cursor }) => cursor.epoch)),
      bigints(cursors.map(({ low }) => low)),
    ];
  }
}

function settledTo(cursor: HeldCursor): Long {
  const position = cursor.settledTo();
  if (isLong(position)) return position;
  throw new Problem('unexpected', { detail: `Cursor ${cursor.name} is settled to ${String(position)}.` });
}

/** Whether two units touch the same thing; then their order counts. */
function isMixed(units: readonly EncodedUnit[]): boolean {
  const withLists = units.flatMap(({ lists }) => lists ?? []);
  if (withLists.length < 2) return false;
  const areKeysMoved = withLists.some(({ aside }) => aside.length > 0);
  const touched = new Set<string>();
  for (const lists of withLists) {
    const things = new Set(thingsOf(lists, areKeysMoved));
    for (const thing of things) {
      if (touched.has(thing)) return true;
      touched.add(thing);
    }
  }
  return false;
}

function* thingsOf(lists: EncodedLists, areKeysMoved: boolean): Iterable<string> {
  for (const { cursor, position } of lists.handled) yield `event ${position} ${cursor.name}`;
  if (areKeysMoved)
    for (const { cursor, key } of [...lists.handled, ...lists.aside]) yield `key ${cursor.name}\0${key}`;
  for (const { id } of lists.timers) yield `timer ${id}`;
  for (const { id } of lists.ended) yield `timer ${id}`;
  for (const { key } of lists.reservations) yield `name ${key}`;
  for (const { name, key } of lists.processes) yield `process ${name}\0${key}`;
}
