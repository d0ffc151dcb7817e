import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';

/** Whether a subscription may turn out to have no field: graphql-js expects one. */
export function hasConditionalSubscription({ definitions }: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const visited = new Set<string>();
  const isConditional = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((node) => {
      if (node.directives?.some(({ name }) => conditions.includes(name.value)) === true) return true;
      if (node.kind === Kind.FIELD) return false;
      if (node.kind === Kind.INLINE_FRAGMENT) return isConditional(node.selectionSet);
      const { value: name } = node.name;
      if (visited.has(name)) return false;
      visited.add(name);
      return isConditional(fragments.get(name)?.selectionSet);
    });
  return definitions.some(
    (node) =>
      node.kind === Kind.OPERATION_DEFINITION &&
      node.operation === OperationTypeNode.SUBSCRIPTION &&
      isConditional(node.selectionSet),
  );
}

const conditions = ['skip', 'include'];
