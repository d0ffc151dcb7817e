import { GraphQLError, Kind, OperationTypeNode, type SelectionSetNode, type ValidationRule } from 'graphql';

/** Each is a query of the database, of up to a hundred rows. */
const maxReads = 10;

/** Bounds what one document reads: aliases and fragments do not hide a field. */
export const limitReads: ValidationRule = (context) => ({
  OperationDefinition: (operation) => {
    if (operation.operation !== OperationTypeNode.QUERY) return;
    const keys = new Set<string>();
    const visited = new Set<string>();
    const collect = (set: SelectionSetNode | undefined): void => {
      for (const node of set?.selections ?? []) {
        if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
        else if (node.kind === Kind.FIELD) {
          if (isRead(node.name.value)) keys.add((node.alias ?? node.name).value);
        } else if (!visited.has(node.name.value)) {
          visited.add(node.name.value);
          collect(context.getFragment(node.name.value)?.selectionSet);
        }
      }
    };
    collect(operation.selectionSet);
    if (keys.size > maxReads)
      context.reportError(
        new GraphQLError(`A query has more than ${maxReads} lists and rows.`, { nodes: operation }),
      );
  },
});

const isRead = (name: string): boolean => name !== 'service' && !name.startsWith('__');
