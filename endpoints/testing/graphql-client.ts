import * as assert from 'uvu/assert';
import type { Fault } from '../../contracts/problems.js';
import { type Answered, type Asked, post } from './http-client.js';

interface GraphQLErrorAnswer {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly unknown[];
  readonly extensions: {
    readonly code: string;
    readonly status: number;
    readonly correlationId: string;
    readonly errors?: readonly Fault[];
    readonly committed?: unknown;
    readonly cause?: unknown;
  };
}

interface GraphQLResult extends Answered {
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors: readonly GraphQLErrorAnswer[];
}

/** One request to /graphql, with its GraphQL answer. */
export async function ask(
  url: string,
  query: string,
  variables?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphQLResult> {
  return resultIn(await post(url, { query, variables }, { path: '/graphql', headers } satisfies Asked));
}

export function resultIn(answer: Answered): GraphQLResult {
  assert.match(
    answer.headers['content-type'] ?? '',
    /^application\/(graphql-response\+)?json; charset=utf-8$/,
  );
  const { data, errors = [] } = JSON.parse(answer.text) as Partial<GraphQLResult>;
  for (const { extensions } of errors)
    assert.is(extensions.correlationId, answer.headers['x-correlation-id']);
  return { ...answer, data, errors };
}

/** `status code` of every error, such as `404 not-found`. */
export const codesIn = ({ errors }: GraphQLResult): readonly string[] =>
  errors.map(({ extensions }) => `${extensions.status} ${extensions.code}`);
