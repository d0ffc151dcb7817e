import { Kind, type ValueNode } from 'graphql';

/** The JSON Pointer in the body of a path in an argument; empty when the document itself holds the value. */
export function bodyPointer(argument: ValueNode, path: string): string {
  const steps = path.split('/').slice(1);
  let node: ValueNode | undefined = argument;
  while (node !== undefined && node.kind !== Kind.VARIABLE) node = memberOf(node, steps.shift());
  return node === undefined ? '' : ['', 'variables', node.name.value, ...steps].join('/');
}

function memberOf(node: ValueNode, step: string | undefined): ValueNode | undefined {
  if (node.kind === Kind.LIST) return node.values[Number(step)];
  if (node.kind !== Kind.OBJECT) return undefined;
  return node.fields.find(({ name }) => name.value === step)?.value;
}
