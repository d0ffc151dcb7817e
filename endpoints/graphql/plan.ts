import {
  type FieldNode,
  type GraphQLOutputType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { unchangedBy } from './unchanged-input.js';
import type { MutationCall } from './mutation-call.js';
import type { ExecutableSchema } from './executable-schema.js';

type Variables = Readonly<Record<string, unknown>>;

/** Answers a document without an interpreter; undefined when graphql-js must run it. */
export type Plan = (variables: Variables, call: MutationCall) => Promise<string | undefined>;

/** Completes a value as GraphQL would. */
type Complete = (value: unknown) => unknown;

/** Thrown and caught in this file: the value does not fit the plan. */
const cannotPlan = Symbol('not plain');

/**
 * The plan for what nearly every client sends: one mutation, its input in one variable, plain fields of its result.
 * Anything else, failures included, is left to graphql-js, which uses the same call and so runs nothing twice.
 */
export function planOf(
  operation: OperationDefinitionNode,
  { schema, fields }: ExecutableSchema,
): Plan | undefined {
  const [node, ...others] = operation.selectionSet.selections;
  if (operation.operation !== OperationTypeNode.MUTATION || !isPlain(node) || others.length > 0)
    return undefined;
  const variable = onlyVariable(operation, node);
  const field = fields.get(node.name.value);
  if (variable === undefined || field === undefined) return undefined;
  const inputType = typeFromAST(schema, variable.type);
  const complete = completing(field.type, node);
  if (!isInputType(inputType) || complete === undefined) return undefined;
  const fits = unchangedBy(inputType);
  const key = (node.alias ?? node.name).value;
  return async (variables, call) => {
    const input = variables[variable.variable.name.value];
    if (input === undefined || input === null || !fits(input)) return undefined;
    return answer(() => call.resultOf(field, input, key, variable.variable), key, complete);
  };
}

async function answer(
  result: () => Promise<unknown>,
  key: string,
  complete: Complete,
): Promise<string | undefined> {
  try {
    return JSON.stringify({ data: { [key]: complete(await result()) } });
  } catch {
    return undefined;
  }
}

function isPlain(node: SelectionNode | undefined): node is FieldNode {
  return node?.kind === Kind.FIELD && (node.directives?.length ?? 0) === 0;
}

function onlyVariable(
  { variableDefinitions: [variable, ...others] = [] }: OperationDefinitionNode,
  { arguments: [argument, ...moreArguments] = [] }: FieldNode,
): VariableDefinitionNode | undefined {
  if (others.length > 0 || moreArguments.length > 0) return undefined;
  return argument?.value.kind === Kind.VARIABLE ? variable : undefined;
}

function completing(type: GraphQLOutputType, node: FieldNode): Complete | undefined {
  if (isNonNullType(type)) {
    const inner = completing(type.ofType as GraphQLOutputType, node);
    return inner && ((value) => inner(value) ?? giveUp());
  }
  const complete = completingSome(type, node);
  return complete && ((value) => (value === null || value === undefined ? null : complete(value)));
}

function completingSome(type: GraphQLOutputType, node: FieldNode): Complete | undefined {
  if (isLeafType(type)) return (value) => type.serialize(mustBeSettled(value)) ?? giveUp();
  if (isListType(type)) {
    const item = completing(type.ofType as GraphQLOutputType, node);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : giveUp()));
  }
  if (!isObjectType(type)) return undefined;
  const members: (readonly [key: string, name: string, complete: Complete])[] = [];
  for (const selection of node.selectionSet?.selections ?? []) {
    if (!isPlain(selection) || selection.arguments?.length !== 0) return undefined;
    const name = selection.name.value;
    const member = type.getFields()[name];
    const complete = name === '__typename' ? () => type.name : member && completing(member.type, selection);
    const key = (selection.alias ?? selection.name).value;
    const isUsual = key !== '__proto__' && members.every(([other]) => other !== key);
    if (complete === undefined || !isUsual) return undefined;
    members.push([key, name, complete]);
  }
  return (value) => {
    if (typeof value !== 'object') return giveUp();
    const from = mustBeSettled(value) as Readonly<Record<string, unknown>>;
    const completed: Record<string, unknown> = {};
    for (const [key, name, complete] of members) completed[key] = complete(from[name]);
    return completed;
  };
}

function mustBeSettled(value: unknown): unknown {
  return typeof value === 'function' || value instanceof Promise ? giveUp() : value;
}

function giveUp(): never {
  // Not an Error: its stack is never read.
  throw cannotPlan;
}
