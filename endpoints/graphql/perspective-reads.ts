import type { AccessOrigin, RequiredPermission } from '../../contracts/identity.js';
import { typeNameOf } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { perspectiveTable, type TableColumn } from '../../runtime/perspectives/tables/perspective-table.js';
import type { ReadModels, RowsPage, RowsQuery } from '../../runtime/perspectives/reads/read-models.js';
import type { Caller } from '../../runtime/request/request-context.js';
import type { Authentication } from '../access/authentication.js';
import { everyRow, type RowAccess, rowAccessOf } from '../queries/row-access.js';
import { VisibleRows } from '../queries/visible-rows.js';
import { type ReadNames, readNamesOf } from '../read-names.js';
import { type ListArguments, listQueryOf } from './list-arguments.js';

/** One request, as a read needs it. */
export interface Reader {
  readonly caller: Caller | undefined;
  readonly origin: AccessOrigin;
  /** The header of a client that continues a subscription. */
  readonly lastEventId?: string | string[] | undefined;
  /** Notes that rows may be missing, or older than they should be. */
  readonly note: (state: string) => void;
}

/** How the fields of the query type read a perspective: with the checks and limits of its REST routes. */
export class PerspectiveReads {
  readonly name: string;
  readonly columns: ReadonlyMap<string, TableColumn>;
  readonly permission: RequiredPermission;
  readonly #newestFirst: boolean;
  readonly #access: RowAccess;
  readonly #rows: VisibleRows;

  constructor(
    readonly names: ReadNames,
    perspective: AnyPerspective,
    models: ReadModels,
    authentication: Authentication | undefined,
    isSensitive: boolean,
  ) {
    const table = perspectiveTable(perspective);
    this.name = table.name;
    this.columns = new Map(table.columns.map((column) => [column.name, column]));
    this.permission = perspective.permission ?? 'authenticated';
    this.#newestFirst = perspective.newestFirst === true;
    this.#access =
      authentication === undefined
        ? everyRow
        : rowAccessOf(perspective, this.columns, authentication.guard, isSensitive);
    this.#rows = new VisibleRows(models, table, this.#access);
  }

  /** Rows are counted only if the count is selected. */
  async page(reader: Reader, args: ListArguments, isCounted: boolean): Promise<Connection> {
    const count = isCounted ? 'bounded' : 'none';
    const asked = () => ({ ...listQueryOf(args, this.columns), count, withCursors: true }) as const;
    return connectionOf(await this.select(reader, asked));
  }

  /** The arguments are read once the caller is known to be allowed. */
  async select(reader: Reader, asked: () => Omit<RowsQuery, 'tenant' | 'newestFirst'>): Promise<RowsPage> {
    this.#mustBeAllowed(reader);
    const query = { ...asked(), newestFirst: this.#newestFirst };
    const found = await this.#rows.page(reader.caller?.identity, query);
    if (found.state !== undefined) reader.note(found.state);
    return found;
  }

  /** Null: there is none that the caller may see. */
  async row(reader: Reader, id: string): Promise<unknown> {
    this.#mustBeAllowed(reader);
    const { model, states } = await this.#rows.find(reader.caller?.identity, id, reader.origin);
    for (const state of states) reader.note(state);
    return model === undefined ? null : JSON.parse(model);
  }

  #mustBeAllowed({ caller, origin }: Reader): void {
    const resource = { type: this.name };
    const { flags } = this.#access;
    const refusal = caller?.guard?.refusalOf(caller.identity, this.permission, resource, flags, origin);
    if (refusal !== undefined) throw refusal;
  }
}

/** Of all perspectives that have a route. */
export function perspectiveReads(
  perspectives: readonly AnyPerspective[],
  models: ReadModels,
  authentication?: Authentication,
  isSensitive: (type: string) => boolean = () => false,
): readonly PerspectiveReads[] {
  return perspectives.flatMap((perspective) => {
    const names = perspective.route === undefined ? undefined : readNamesOf(perspective.route);
    if (names === undefined) return [];
    const hides = perspective.events.some((type) => isSensitive(typeNameOf(type)));
    return [new PerspectiveReads(names, perspective, models, authentication, hides)];
  });
}

interface Connection {
  readonly edges: readonly { readonly cursor: string | undefined; readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | undefined };
  readonly totalCount: number;
  readonly totalCountIs: 'exact' | 'estimated';
}

const connectionOf = ({ models, cursors = [], next, total, isExact }: RowsPage): Connection => ({
  edges: (JSON.parse(models) as unknown[]).map((node, at) => ({ cursor: cursors[at], node })),
  pageInfo: { hasNextPage: next !== undefined, endCursor: cursors.at(-1) },
  totalCount: total,
  totalCountIs: isExact ? 'exact' : 'estimated',
});
