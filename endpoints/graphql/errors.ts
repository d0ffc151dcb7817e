import { GraphQLError } from 'graphql';
import { Problem } from '../../contracts/problems.js';
import { problemOf } from '../problem.js';
import { redactValues } from './redact-values.js';

/** An error as it is sent, and the problem it tells. */
export interface EncodedError {
  readonly text: string;
  readonly problem: Problem;
}

/** The request itself is wrong: the words are GraphQL's own, about the caller's own document and variables, whose values stay unsaid. */
export function requestError(error: GraphQLError, correlationId: string): EncodedError {
  return encodeError(error, new Problem('invalid-query', { detail: redactValues(error) }), correlationId);
}

/** A field has failed: with a problem, or with something nobody outside may see. */
export function fieldError(error: GraphQLError, correlationId: string): EncodedError {
  const problem = problemOf(causeOf(error));
  try {
    return encodeError(error, problem, correlationId);
  } catch (cause) {
    // A handler may have put into its problem what has no JSON.
    return encodeError(error, new Problem('unexpected', { cause }), correlationId);
  }
}

/** GraphQL's own words about a result go to the log, and repeat it no more than those about a request. */
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
