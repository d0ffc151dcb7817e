import {
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { Problem } from '../../contracts/problems.js';
import { eventStream } from '../http/media-types.js';
import { documents } from './document-cache.js';
import { fieldError, requestError, type EncodedError } from './errors.js';
import type { ExecutableSchema } from './executable-schema.js';
import type { MutationCall } from './mutation-call.js';
import type { Parameters } from './request-parameters.js';
import { responseBody } from './response-body.js';
import { type Subscription, subscriptionOf } from './subscription.js';
import { type Plan, planOf } from './plan.js';

export interface GraphQLAnswer {
  readonly body: string;
  /** The request itself is invalid, and nothing was executed. */
  readonly isRefused: boolean;
  /** Every field was executed, but an error of one has left no data of any. */
  readonly isVoid?: boolean;
  /** The problems behind the errors in the body. */
  readonly problems: readonly Problem[];
}

export type Executor = (
  parameters: Parameters,
  call: MutationCall,
  may: { readonly mutate: boolean; readonly stream: boolean },
) => Promise<GraphQLAnswer | Subscription>;

interface Prepared {
  readonly document: DocumentNode;
  readonly plans: ReadonlyMap<OperationDefinitionNode, Plan>;
}

export function executor(executable: ExecutableSchema, isDevelopment: boolean): Executor {
  const { schema } = executable;
  const known = documents(schema, isDevelopment, (document) => prepare(document, executable));
  return async (parameters, call, may) => {
    const { query, operationName, variables = {} } = parameters;
    const checked = known.get(query);
    if ('errors' in checked) return refusal(checked.errors, call);
    const { document, plans } = checked.valid;
    const operation = getOperationAST(document, operationName);
    if (!operation || !schema.getRootType(operation.operation))
      return refusal([noSuchOperation(parameters)], call);
    if (operation.operation === OperationTypeNode.MUTATION && !may.mutate) throw useAPost();
    const planned = await plans.get(operation)?.(variables, call);
    if (planned !== undefined) return { body: planned, isRefused: false, problems: [] };
    const args: ExecutionArgs = {
      schema,
      document,
      operationName: operationName ?? null,
      variableValues: variables,
      contextValue: call,
      hideSuggestions: !isDevelopment,
      // Each error prints its whole value: many of them would cost seconds.
      options: { maxCoercionErrors: 3 },
    };
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return answerOf(await execute(args), call);
    if (!may.stream) throw acceptAStream();
    const subscription = await subscriptionOf(args, call.correlationId);
    return 'source' in subscription ? subscription : answerWith(subscription, undefined, true);
  };
}

function prepare(document: DocumentNode, executable: ExecutableSchema): Prepared {
  const plans = new Map<OperationDefinitionNode, Plan>();
  for (const node of document.definitions) {
    const plan = node.kind === Kind.OPERATION_DEFINITION ? planOf(node, executable) : undefined;
    if (node.kind === Kind.OPERATION_DEFINITION && plan !== undefined) plans.set(node, plan);
  }
  return { document, plans };
}

function answerOf({ data, errors = [] }: ExecutionResult, call: MutationCall): GraphQLAnswer {
  if (data === undefined) return refusal(errors, call);
  const encoded = errors.map((error) => {
    // An argument may turn out to be invalid only when its field is executed.
    const wasReached = error.path !== undefined && call.hasRun(String(error.path[0]));
    return (wasReached ? fieldError : requestError)(error, call.correlationId);
  });
  const answer = answerWith(encoded, data, false);
  return data === null ? { ...answer, isVoid: true } : answer;
}

const refusal = (errors: readonly GraphQLError[], call: MutationCall): GraphQLAnswer =>
  answerWith(
    errors.map((error) => requestError(error, call.correlationId)),
    undefined,
    true,
  );

function answerWith(
  encoded: readonly EncodedError[],
  data: object | null | undefined,
  isRefused: boolean,
): GraphQLAnswer {
  return { body: responseBody(encoded, data), isRefused, problems: encoded.map(({ problem }) => problem) };
}

function noSuchOperation({ operationName }: Parameters): GraphQLError {
  if (operationName === undefined) return new GraphQLError('Must provide the name of one of the operations.');
  return new GraphQLError(`There is no operation named "${operationName}" that could be executed.`);
}

const acceptAStream = (): Problem =>
  new Problem('not-acceptable', { detail: `A subscription is answered as a stream: accept ${eventStream}.` });

const useAPost = (): Problem =>
  new Problem('method-not-allowed', { detail: 'Send mutations by POST.', headers: { allow: 'POST' } });
