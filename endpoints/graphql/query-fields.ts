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
import type { PerspectiveReads } from './perspective-reads.js';

type QueryField = GraphQLField<unknown, MutationCall>;

/** Lets perspectives resolve the fields of the query type; one that the schema does not name is read over REST only. */
export function implementQueries(schema: GraphQLSchema, reads: readonly PerspectiveReads[]): void {
  const lists = new Map(reads.map((read) => [read.names.list, read]));
  const rows = new Map(reads.map((read) => [read.names.one, read]));
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const list = lists.get(field.name);
    const row = rows.get(field.name);
    if (list !== undefined) implementList(field, list);
    else if (row !== undefined) implementRow(field, row);
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
