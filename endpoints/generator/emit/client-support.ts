import type { CommandModel } from '../model/service-model.js';

/** The names of types that a client declares itself, or has from JavaScript. */
export const clientNames: readonly string[] = [
  'AbortSignal',
  'AsyncGenerator',
  'Call',
  'CallOptions',
  'Client',
  'ClientOptions',
  'Omit',
  'ProblemDetails',
  'ProblemError',
  'ProcessWait',
  'Processes',
  'Promise',
  'ReadableStreamDefaultReader',
  'Readonly',
  'Record',
  'Response',
  'Rows',
  'RowsChange',
  'RowsComparisons',
  'RowsConnection',
  'RowsEvent',
  'RowsEvents',
  'RowsFilter',
  'RowsPage',
  'RowsQuery',
  'RowsTextFilter',
  'RowsWatch',
  'RowsWatchOptions',
  'Started',
  'StartedProcess',
  'Uint8Array',
];

/** The method that sends a command. */
export const clientMethod = ({ name, graphQLMutation }: CommandModel): string =>
  graphQLMutation ?? name.charAt(0).toLowerCase() + name.slice(1);

/** The part of every client that does not depend on the service. */
export const clientSupport = `
export interface ClientOptions {
  /** The address of the service, such as http://127.0.0.1:3000 or, behind a prefix, https://example.com/api */
  readonly baseUrl: string;
  /** A JSON Web Token or an API key, sent as a bearer token; a function is asked before each call. */
  readonly token?: string | (() => string | Promise<string>);
  /** Sent with every call; a function is asked before each call. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** With the same key a repeated call gets the stored answer, and nothing happens twice. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of the service instead of a result (RFC 9457). */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly correlationId?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly [extension: string]: unknown;
}

export class ProblemError extends Error {
  /** The last part of the problem's type: \`order-not-found\`. */
  readonly code: string;
  readonly status: number;

  constructor(readonly problem: ProblemDetails) {
    super(problem.detail ?? problem.title);
    this.name = 'ProblemError';
    this.code = problem.type.slice(problem.type.lastIndexOf(':') + 1);
    this.status = problem.status;
  }
}

interface GraphQLAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[];
}

class Call {
  constructor(private readonly options: ClientOptions) {}

  async post<T>(route: string, body: unknown, options: CallOptions = {}): Promise<T> {
    const text = await (await this.request('POST', route, options, body)).text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async get<T>(route: string, options: CallOptions = {}): Promise<T> {
    return (await (await this.request('GET', route, options)).json()) as T;
  }

  async mutate<T>(query: string, field: string, variables: object, options: CallOptions = {}): Promise<T> {
    const response = await this.request('POST', '/graphql', options, { query, variables });
    const answer = (await response.json()) as GraphQLAnswer;
    const error = answer.errors?.[0];
    if (error === undefined) return answer.data?.[field] as T;
    const { code = 'unexpected', status = 500, ...extensions } = error.extensions ?? {};
    throw new ProblemError({ ...extensions, type: \`urn:svc:problem:\${String(code)}\`, title: error.message, status: Number(status) });
  }

  async request(method: string, route: string, options: CallOptions, body?: unknown): Promise<Response> {
    const { baseUrl, token, headers, fetch = globalThis.fetch } = this.options;
    const shared = typeof headers === 'function' ? await headers() : headers;
    const bearer = typeof token === 'function' ? await token() : token;
    const credentials: Record<string, string> = bearer === undefined ? {} : { authorization: \`Bearer \${bearer}\` };
    const key: Record<string, string> = options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey };
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    // Append the route: resolving it against the base URL would drop the prefix of a proxy.
    const response = await fetch(\`\${baseUrl.replace(/\\/+$/, '')}\${route}\`, {
      method,
      headers: { accept: 'application/json', ...type, ...shared, ...credentials, ...key, ...options.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (response.ok) return response;
    throw new ProblemError(problemIn(await response.text()) ?? { type: 'about:blank', title: response.statusText, status: response.status });
  }
}

function problemIn(text: string): ProblemDetails | undefined {
  try {
    const value = JSON.parse(text) as ProblemDetails;
    return typeof value.type === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
`;
