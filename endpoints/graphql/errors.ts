import { GraphQLError } from 'graphql';
import { Problem } from '../../contracts/problems.js';
import { problemOf } from '../problem.js';
import { redactValues } from './redact-values.js';

/** An error as it is sent, with its problem. */
export interface EncodedError {
  readonly text: string;
  readonly problem: Problem;
}

/**
 * An invalid request: the message is GraphQL's own, about the caller's document and variables, without their values.
 */
export function requestError(error: GraphQLError, correlationId: string): EncodedError {
  return encodeError(error, new Problem('invalid-query', { detail: redactValues(error) }), correlationId);
}

/** A failed field: with a problem, or with an error that clients may not see. */
export function fieldError(error: GraphQLError, correlationId: string): EncodedError {
  const problem = problemOf(causeOf(error));
  try {
    return encodeError(error, problem, correlationId);
  } catch (cause) {
    // The members of a handler's problem may have no JSON.
    return encodeError(error, new Problem('unexpected', { cause }), correlationId);
  }
}

/** GraphQL's message about a result goes to the log, without the values. */
function causeOf(error: GraphQLError): unknown {
  const { originalError = error } = error;
  return originalError instanceof GraphQLError
    ? new GraphQLError(redactValues(originalError), { path: error.path })
    : originalError;
}

function encodeError(
  { locations, path }: GraphQLError,
  problem: Problem,
  correlationId: string,
): EncodedError {
  const { code, status, errors, message } = problem;
  const extensions = { ...problem.extensions, code, status, correlationId, errors };
  return { text: JSON.stringify({ message, locations, path, extensions }), problem };
}
