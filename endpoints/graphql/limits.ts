import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type ObjectFieldNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationRule,
  visit,
} from 'graphql';
import { hasConditionalSubscription } from './conditional-subscription.js';

export const limits = { characters: 16_384, tokens: 1_000, depth: 12, aliases: 32, valueDepth: 64 } as const;

/** Errors that do not depend on the schema; checked before anything that costs more than one walk. */
export function limitErrors(document: DocumentNode): readonly GraphQLError[] {
  const { aliases, valueDepth, forbidden } = countIn(document);
  const errors: GraphQLError[] = [];
  const refuse = (message: string) => errors.push(new GraphQLError(message));
  if (depthOf(document) > limits.depth) refuse(`The document is deeper than ${limits.depth} fields.`);
  if (aliases > limits.aliases) refuse(`The document has more than ${limits.aliases} aliases.`);
  if (valueDepth > limits.valueDepth) refuse(`A value is nested deeper than ${limits.valueDepth}.`);
  if (forbidden) refuse('A value has a forbidden key.');
  if (hasConditionalSubscription(document))
    refuse('The field of a subscription must have neither @skip nor @include.');
  return errors;
}

function countIn(document: DocumentNode) {
  const found = { aliases: 0, valueDepth: 0, forbidden: false };
  let depth = 0;
  const enter = () => {
    found.valueDepth = Math.max(found.valueDepth, ++depth);
  };
  const leave = () => {
    depth--;
  };
  visit(document, {
    Field: (node) => {
      if (node.alias !== undefined) found.aliases++;
    },
    ListValue: { enter, leave },
    ObjectValue: { enter, leave },
    ObjectField: (node) => {
      found.forbidden ||= isForbidden(node);
    },
  });
  return found;
}

/** The keys that a JSON body may not have either. */
function isForbidden({ name, value }: ObjectFieldNode): boolean {
  if (name.value === '__proto__') return true;
  if (name.value !== 'constructor' || value.kind !== Kind.OBJECT) return false;
  return value.fields.some((field) => field.name.value === 'prototype');
}

/** Measures each fragment once: a document of a thousand tokens can spread fragments a billion times. */
function depthOf(document: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const depths = new Map<string, number>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);

  const depthOfFragment = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    // Validation reports cycles.
    depths.set(name, 0);
    const depth = deepest(fragments.get(name)?.selectionSet);
    depths.set(name, depth);
    return depth;
  };
  const deepest = (set: SelectionSetNode | undefined): number =>
    Math.max(
      0,
      ...(set?.selections ?? []).map((node) => {
        if (node.kind === Kind.FRAGMENT_SPREAD) return depthOfFragment(node.name.value);
        if (node.kind === Kind.INLINE_FRAGMENT) return deepest(node.selectionSet);
        // Introspection has its own depth rule.
        return node.name.value.startsWith('__') ? 1 : 1 + deepest(node.selectionSet);
      }),
    );

  return Math.max(
    0,
    ...document.definitions.map((node) => ('selectionSet' in node ? deepest(node.selectionSet) : 0)),
  );
}

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
