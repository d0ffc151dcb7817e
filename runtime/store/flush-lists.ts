import { Problem } from '../../contracts/problems.js';
import { isLong, type Long } from '../../contracts/scalars.js';
import type { HeldCursor } from '../../contracts/unit-lists.js';
import { bigints, booleans, ints, jsons, micros, row, smallints, texts, uuids } from './binary-arrays.js';
import type { EncodedLists } from './encode-lists.js';
import type { EncodedUnit } from './encode-unit.js';

/** What units store beside events and records, as a value of the type `svc_lists`; null when they have none of it. */
export function listsOfUnits(units: readonly EncodedUnit[]): Buffer | null {
  if (units.every(({ lists }) => lists === undefined)) return null;
  const cursors = new Cursors();
  const [handled, aside] = [entries(units, 'handled'), entries(units, 'aside')];
  const [timers, ended] = [entries(units, 'timers'), entries(units, 'ended')];
  const [names, processes] = [entries(units, 'reservations'), entries(units, 'processes')];
  const handledBy = handled.list.map(({ cursor }) => cursors.indexOf(cursor));
  const asideOf = aside.list.map(({ cursor }) => cursors.indexOf(cursor));
  return row(isMixed(units), [
    ...cursors.columns(),
    ...[ints(handled.units), ints(handledBy)],
    ...[bigints(handled.list.map(({ position }) => position)), texts(handled.list.map(({ key }) => key))],
    ...[ints(aside.units), ints(asideOf), ...asideColumns(aside.list)],
    ...[ints(timers.units), ...timerColumns(timers.list)],
    ...[ints(ended.units), uuids(ended.list.map(({ id }) => id))],
    micros(ended.list.map(({ firedAt }) => firedAt)),
    ...[
      ints(names.units),
      uuids(names.list.map(({ key }) => key)),
      texts(names.list.map(({ name }) => name)),
    ],
    ...[texts(names.list.map(({ released }) => released)), texts(names.list.map(({ owner }) => owner))],
    bigints(names.list.map(({ forMs }) => forMs ?? -1)),
    ...[ints(processes.units), ...processColumns(processes.list)],
  ]);
}

const asideColumns = (aside: EncodedLists['aside']): Buffer[] => [
  texts(aside.map(({ key }) => key)),
  bigints(aside.map(({ from }) => from)),
  bigints(aside.map(({ next }) => next)),
  texts(aside.map(({ state }) => state)),
  ints(aside.map(({ attempts }) => attempts)),
  bigints(aside.map(({ retryInMs }) => retryInMs)),
  texts(aside.map(({ error }) => error)),
];

const processColumns = (processes: EncodedLists['processes']): Buffer[] => [
  texts(processes.map(({ name }) => name)),
  texts(processes.map(({ key }) => key)),
  bigints(processes.map(({ revision }) => revision)),
  ints(processes.map(({ version }) => version)),
  texts(processes.map(({ state }) => state)),
  texts(processes.map(({ status }) => status)),
  jsons(processes.map(({ snapshot }) => snapshot)),
  jsons(processes.map(({ trail }) => trail)),
  texts(processes.map(({ error }) => error)),
  texts(processes.map(({ tenant }) => tenant)),
];

const timerColumns = (timers: EncodedLists['timers']): Buffer[] => [
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

  columns(): Buffer[] {
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
