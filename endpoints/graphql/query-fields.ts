import {
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { ListArguments } from './list-arguments.js';
import type { MutationCall } from './mutation-call.js';
import { outdatedSchema } from './outdated-schema.js';
import { ProcessReads } from '../processes/process-reads.js';
import { PerspectiveReads } from './perspective-reads.js';

/** What answers a field of the query type. */
export type SchemaReads = PerspectiveReads | ProcessReads;

type QueryField = GraphQLField<unknown, MutationCall>;

/**
 * Lets perspectives and processes resolve the fields of the query type; one that the schema does not name is read over
 * REST only.
 */
export function implementQueries(schema: GraphQLSchema, all: readonly SchemaReads[]): void {
  const reads = all.filter((one) => one instanceof PerspectiveReads);
  const processes = new Map(
    all.flatMap((one) => (one instanceof ProcessReads && one.names ? [[one.names.one, one] as const] : [])),
  );
  const lists = new Map(reads.map((read) => [read.names.list, read]));
  const rows = new Map(reads.map((read) => [read.names.one, read]));
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const list = lists.get(field.name);
    const row = rows.get(field.name);
    if (list !== undefined) implementList(field, list);
    else if (row !== undefined) implementRow(field, row);
    else if (processes.has(field.name)) implementInstance(field, processes.get(field.name));
    else if (field.name === 'service') field.resolve = () => 'svc-runtime';
    else throw outdatedSchema(`no perspective answers '${field.name}'`);
  }
}

function implementList(field: QueryField, read: PerspectiveReads): void {
  const type = field.args.find(({ name }) => name === 'filter')?.type;
  const named = isInputObjectType(type) ? Object.keys(type.getFields()) : [];
  if (named.toSorted().join() !== [...read.columns.keys()].toSorted().join())
    throw outdatedSchema(`'${field.name}' has other columns`);
  field.resolve = (_source, args: ListArguments, call, info) =>
    call.readOf(String(info.path.key), (reader) => read.page(reader, args, selectsCount(info)));
}

function implementRow(field: QueryField, read: PerspectiveReads): void {
  field.resolve = (_source, args: { readonly id: string }, call, { path }) =>
    call.readOf(String(path.key), (reader) => read.row(reader, args.id));
}

function implementInstance(field: QueryField, read: ProcessReads | undefined): void {
  field.resolve = (_source, args: { readonly key: string }, call, { path }) =>
    call.readOf(String(path.key), async (reader) => read?.read(reader, args.key));
}

/** Visits each fragment once: a document can spread fragments a billion times. */
function selectsCount({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const visited = new Set<string>();
  const within = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((node) => {
      if (node.kind === Kind.FIELD) return counts.includes(node.name.value);
      if (node.kind === Kind.INLINE_FRAGMENT) return within(node.selectionSet);
      const { value: name } = node.name;
      if (visited.has(name)) return false;
      visited.add(name);
      return within(fragments[name]?.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => within(selectionSet));
}

const counts = ['totalCount', 'totalCountIs'];
