// Written by svc generate; changes here are lost.
export type Address = { street: string; city: string; state: string; zipCode: string };
export type ArchiveOrder = { orderId: string };
export type ArchiveOrderResult = { orderId: string; status: ArchiveOrderResultStatus };
export type ArchiveOrderResultStatus = "archived";
export type CancelOrderRequest = { orderId: string; why?: string };
export type CancelOrderResult = { orderId: string; status: CancelOrderResultStatus };
export type CancelOrderResultStatus = "cancelled";
export type CreateOrder = { customerId: string; lineItems: LineItem[]; shippingAddress: Address };
export type CreateOrderResult = { orderId: string; total: string; status: CreateOrderResultStatus };
export type CreateOrderResultStatus = "created";
export type LineItem = { productId: string; quantity: number; unitPrice: string };
export type ShipOrder = { orderId: string; carrier: string };
export type ShipOrderResult = { orderId: string; status: ShipOrderResultStatus };
export type ShipOrderResultStatus = "shipped" | "queued";

export interface ClientOptions {
  /** Where the service answers, such as http://127.0.0.1:3000 */
  readonly baseUrl: string;
  /** Sent with every call, such as authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** With the same key a repeated call gets the stored answer, and nothing happens twice. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the service answered instead of a result: RFC 9457. */
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
  /** The last part of the problem's type: `order-not-found`. */
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
    const text = await this.#send(route, body, options);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async mutate<T>(query: string, field: string, variables: object, options: CallOptions = {}): Promise<T> {
    const answer = JSON.parse(await this.#send('/graphql', { query, variables }, options)) as GraphQLAnswer;
    const error = answer.errors?.[0];
    if (error === undefined) return answer.data?.[field] as T;
    const { code = 'unexpected', status = 500, ...extensions } = error.extensions ?? {};
    throw new ProblemError({ ...extensions, type: `urn:svc:problem:${String(code)}`, title: error.message, status: Number(status) });
  }

  async #send(route: string, body: unknown, options: CallOptions): Promise<string> {
    const { baseUrl, headers, fetch = globalThis.fetch } = this.options;
    const key = options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey };
    const response = await fetch(new URL(route, baseUrl), {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers, ...key, ...options.headers },
      body: JSON.stringify(body),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const text = await response.text();
    if (response.ok) return text;
    throw new ProblemError(problemIn(text) ?? { type: 'about:blank', title: response.statusText, status: response.status });
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

export class Client {
  readonly #call: Call;

  constructor(options: ClientOptions) {
    this.#call = new Call(options);
  }

  archiveOrder(command: ArchiveOrder, options?: CallOptions): Promise<ArchiveOrderResult> {
    return this.#call.mutate<ArchiveOrderResult>("mutation($command: ArchiveOrderInput!) { archiveOrder(command: $command) { orderId status } }", "archiveOrder", { command }, options);
  }

  cancelOrder(request: CancelOrderRequest, options?: CallOptions): Promise<CancelOrderResult> {
    return this.#call.post<CancelOrderResult>("/orders/cancel", request, options);
  }

  createOrder(command: CreateOrder, options?: CallOptions): Promise<CreateOrderResult> {
    return this.#call.post<CreateOrderResult>("/orders", command, options);
  }

  shipOrder(command: ShipOrder, options?: CallOptions): Promise<ShipOrderResult> {
    return this.#call.post<ShipOrderResult>("/orders/ship", command, options);
  }
}
