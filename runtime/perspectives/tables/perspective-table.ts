import { createHash } from 'node:crypto';
import { isKebabCase, maxPerspectiveName as maxNameLength } from '../../../contracts/kebab-case.js';
import type { EventOrigin } from '../../../contracts/event-origin.js';
import { originFault } from '../../../contracts/origin-fault.js';
import { type MessageClass, typeNameOf } from '../../../contracts/message.js';
import type { ColumnType, AnyPerspective } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';

/** A declared column: readers use `name`, the table has `column`. */
export interface TableColumn {
  readonly name: string;
  readonly column: string;
  readonly type: ColumnType;
  of(model: unknown): unknown;
}

/** The tables of a perspective: one per hash, so that two versions of a service never share one. */
export interface PerspectiveTable {
  readonly name: string;
  /** Also the name of its cursor. */
  readonly table: string;
  readonly snapshots: string;
  /** The function that writes models, snapshots and cursor. */
  readonly write: string;
  /** Shows the newest table. */
  readonly view: string;
  /** SHA-256 over name, event types, their origin, whose rows they make and in which order, columns and version. */
  readonly hash: string;
  readonly columns: readonly TableColumn[];
  readonly types: readonly string[];
  /** Whose events. */
  readonly origin: EventOrigin;
  /** Whether a row holds the events of exactly one stream. */
  readonly byStream: boolean;
  /** Whether rows are read by the position of their last event. */
  readonly newestFirst: boolean;
}

export const columnTypes: readonly ColumnType[] = [
  'text',
  'uuid',
  'integer',
  'bigint',
  'numeric',
  'boolean',
  'timestamptz',
];

/** The columns that every perspective has, and those that PostgreSQL gives to every table. */
const ownColumns: readonly string[] = [
  ...['id', 'model', 'tenant', 'position', 'applied', 'updated_at'],
  ...['ctid', 'tableoid', 'xmin', 'xmax', 'cmin', 'cmax'],
];

export function perspectiveTable(perspective: AnyPerspective): PerspectiveTable {
  mustBeValid(perspective);
  const { name, events, origin = 'own', late, version = 1 } = perspective;
  const columns = columnsOf(perspective);
  const types = [...new Set(events.map(typeNameOf))].sort();
  const byStream = (perspective as Unchecked).key === undefined;
  const declared = columns.map(({ column, type }) => [column, type]);
  const rows = byStream ? 'stream' : late;
  const shape = { name, types, origin, rows, columns: declared, version };
  const hash = createHash('sha256').update(JSON.stringify(shape)).digest('hex');
  const snake = name.replaceAll('-', '_');
  const versioned = `${snake}_${hash.slice(0, 8)}`;
  return {
    name,
    table: `svc_per_${versioned}`,
    snapshots: `svc_snap_${versioned}`,
    write: `svc_write_${versioned}`,
    view: `svc_per_${snake}`,
    hash,
    columns,
    types,
    origin,
    byStream,
    newestFirst: perspective.newestFirst === true,
  };
}

/** The tables of a service; two perspectives of one name would conflict. */
export function perspectiveTables(perspectives: readonly AnyPerspective[]): PerspectiveTable[] {
  const seen = new Set<string>();
  return perspectives.map((perspective) => {
    const table = perspectiveTable(perspective);
    if (seen.has(table.name)) throw invalid(table.name, 'is declared twice; give one of them another name');
    seen.add(table.name);
    return table;
  });
}

/** Sorted by column name, so that the order of declaration does not matter. */
function columnsOf({ name, columns = {} }: AnyPerspective): TableColumn[] {
  const list = Object.entries(columns).map(([declaration, declared]): TableColumn => {
    const type = typeof declared === 'string' ? declared : declared.type;
    if (!/^[a-z][A-Za-z0-9]*$/.test(declaration) || declaration.length > maxNameLength)
      throw invalid(
        name,
        `has a column '${declaration}'; name it in camelCase, at most ${maxNameLength} characters`,
      );
    if (!columnTypes.includes(type))
      throw invalid(
        name,
        `gives column '${declaration}' the type '${type}'; use one of ${columnTypes.join(', ')}`,
      );
    if (typeof declared !== 'string' && typeof (declared as { of?: unknown }).of !== 'function')
      throw invalid(name, `has a column '${declaration}' without a value; add of: (model) => …`);
    const of = typeof declared === 'string' ? fieldOf(declaration) : (model: unknown) => declared.of(model);
    return { name: declaration, column: snakeOf(declaration), type, of };
  });
  const usedColumns = new Set(ownColumns);
  for (const { name: declaration, column } of list) {
    if (usedColumns.has(column))
      throw invalid(name, `has a column '${declaration}', but '${column}' is already used; rename it`);
    usedColumns.add(column);
  }
  return list.sort((a, b) => (a.column < b.column ? -1 : 1));
}

const fieldOf =
  (name: string) =>
  (model: unknown): unknown =>
    typeof model === 'object' && model !== null && Object.hasOwn(model, name)
      ? (model as Readonly<Record<string, unknown>>)[name]
      : null;

const snakeOf = (camel: string): string => camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What plain JavaScript may have declared. */
type Unchecked = { readonly [Member in keyof AnyPerspective]?: unknown };

function mustBeValid(perspective: Unchecked): void {
  const { name, events, origin, apply, initial, key, late, snapshotEvery = 1, version = 1 } = perspective;
  if (!isKebabCase(name, maxNameLength))
    throw invalid(
      String(name),
      `needs a name in kebab-case of at most ${maxNameLength} characters, such as order-summary`,
    );
  if (!Array.isArray(events) || events.length === 0)
    throw invalid(name, 'takes no events; name at least one');
  if (events.some((type) => typeof type !== 'function'))
    throw invalid(name, 'lists something that is not an event class');
  const fault = originFault({ origin, events: events as MessageClass[] });
  if (fault !== undefined) throw invalid(name, fault);
  if (typeof apply !== 'function') throw invalid(name, 'needs apply(model, event)');
  if (initial !== undefined && typeof initial !== 'function')
    throw invalid(name, 'has an initial that is not a function');
  if (key !== undefined && typeof key !== 'function') throw invalid(name, 'has a key that is not a function');
  if (late !== undefined && late !== 'apply' && late !== 'rebuild')
    throw invalid(name, `says late: ${JSON.stringify(late)}; use 'apply' or 'rebuild'`);
  if (key !== undefined && late === undefined)
    throw invalid(
      name,
      "has a key of its own and does not say what a late event does to it; add late: 'apply' or 'rebuild'",
    );
  if (!isCount(snapshotEvery)) throw invalid(name, 'needs a positive whole number as snapshotEvery');
  if (!isCount(version)) throw invalid(name, 'needs a positive whole number as version');
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

const invalid = (name: string, fault: string): Problem =>
  new Problem('invalid-setup', { detail: `The perspective '${name}' ${fault}.` });
