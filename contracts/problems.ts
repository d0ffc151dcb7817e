interface Row {
  readonly status: number;
  readonly title: string;
}

/** Every problem that the runtime itself raises. Callers see its code. */
export const problems = Object.freeze({
  'malformed-json': { status: 400, title: 'The body is not valid JSON' },
  'malformed-request': { status: 400, title: 'The request cannot be understood' },
  'invalid-query': { status: 400, title: 'The query is not valid' },
  'invalid-header': { status: 400, title: 'A header is not valid' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  'access-denied': { status: 403, title: 'Access is denied' },
  'approval-needs-identity': { status: 403, title: 'An approval needs people who are known by name' },
  'approval-needs-another-person': { status: 403, title: 'Nobody can agree to what they have asked for' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'This method is not allowed here' },
  'not-acceptable': { status: 406, title: 'No acceptable response format is available' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'stream-conflict': { status: 409, title: 'The stream has moved on' },
  'rebuild-under-way': { status: 409, title: 'The perspective is being rebuilt' },
  'rebuild-failed': { status: 409, title: 'The rebuild failed' },
  'rebuild-cancelled': { status: 409, title: 'The rebuild was cancelled' },
  'duplicate-in-flight': { status: 409, title: 'The same request is still being handled' },
  'approval-changed': { status: 409, title: 'The approval is about something else than was shown' },
  'approval-closed': { status: 409, title: 'The approval was decided or has expired' },
  'already-reserved': { status: 409, title: 'The name is reserved by another owner' },
  overtaken: { status: 409, title: 'Another host has handled this' },
  'causation-too-deep': { status: 508, title: 'Too many reactions follow each other without a request' },
  'timer-gone': { status: 409, title: 'The timer has fired or was cancelled' },
  'deployment-conflict': { status: 409, title: 'Another deployment is in progress' },
  'deployment-stuck': { status: 500, title: 'The deployment cannot be reverted' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be application/json' },
  misdirected: { status: 421, title: 'This host does not answer to that name' },
  'invalid-command': { status: 422, title: 'The command is not valid' },
  'idempotency-key-reused': { status: 422, title: 'The Idempotency-Key was used for another request' },
  'idempotency-needs-identity': {
    status: 422,
    title: 'An Idempotency-Key needs credentials with a user or an API key',
  },
  'event-too-large': { status: 413, title: 'An event is too large for the broker' },
  'message-too-large': { status: 413, title: 'The message is too large for the transport' },
  'message-refused': { status: 422, title: 'The broker refused the message' },
  'invalid-event': { status: 422, title: 'The event cannot be stored' },
  'invalid-timer': { status: 422, title: 'The timer cannot be set' },
  'invalid-reservation': { status: 422, title: 'The name cannot be reserved' },
  'invalid-system-event': { status: 422, title: 'The system event is not valid' },
  'invalid-message': { status: 422, title: 'The message cannot be accepted' },
  'forged-header': { status: 422, title: 'A header of the message contradicts its body' },
  'place-taken': { status: 409, title: 'The position of the message is taken by another one' },
  'in-the-future': { status: 422, title: 'The message is dated too far in the future' },
  'origin-went-back': { status: 409, title: 'The store of the message went back in time' },
  'too-many-stores': { status: 422, title: 'Too many stores send messages' },
  'store-not-trusted': { status: 422, title: 'The store of the message is not trusted' },
  'forged-message': { status: 422, title: 'The store of the message has not signed it' },
  'unsigned-message': { status: 422, title: 'The store signs its messages, and this one is not signed' },
  'message-quarantined': { status: 422, title: 'Hosts died while they handled the message' },
  'invalid-key': { status: 500, title: 'The key of a command is not valid' },
  'invalid-decimal': { status: 500, title: 'A decimal number is not valid' },
  'invalid-model': { status: 500, title: 'The model of a perspective cannot be stored' },
  'invalid-decider': { status: 500, title: 'A decider breaks its rules' },
  'hook-payload-too-large': { status: 500, title: 'The payload is too large for a hook' },
  'reserved-stream': { status: 422, title: 'The stream is reserved for the runtime' },
  'upgrade-required': { status: 426, title: 'Only WebSocket connections are accepted here' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  'client-gone': { status: 499, title: 'The client closed the request' },
  unexpected: { status: 500, title: 'Something went wrong' },
  'after-hook-failed': { status: 500, title: 'The command was committed, but a later step failed' },
  'waits-for-itself': { status: 500, title: 'A command waits for itself' },
  'unit-closed': { status: 500, title: 'The unit of work is closed' },
  'sealed-value-refused': { status: 500, title: 'A sealed value of a stored event was changed' },
  'missing-upcaster': { status: 500, title: 'A stored event has a version that cannot be read' },
  'process-invalid': { status: 500, title: 'The machine of a process uses something that cannot be stored' },
  'process-refused': {
    status: 500,
    title: 'A command of a process was refused, and its state does not handle that',
  },
  'process-too-long': { status: 500, title: 'A step of a process does not end' },
  'process-too-large': { status: 500, title: 'A process holds more data than it may' },
  'process-version': { status: 500, title: 'A process was started by another version and cannot continue' },
  'timer-unknown': { status: 500, title: 'This version of the service does not handle the timer' },
  'address-refused': { status: 422, title: 'The address may not be called' },
  'effect-failed': { status: 502, title: 'The call to another system failed' },
  'effect-invalid': { status: 500, title: 'An effect breaks its rules' },
  'effect-lost': { status: 500, title: 'Hosts died while they made the call' },
  'effect-timeout': { status: 504, title: 'The other system did not answer in time' },
  'request-version': { status: 500, title: 'This version of the service cannot read the request' },
  usage: { status: 500, title: 'The command line is not valid' },
  'child-failed': { status: 500, title: 'A part of the host cannot be kept running' },
  'invalid-setup': { status: 500, title: 'The service is not set up correctly' },
  overloaded: { status: 503, title: 'The service is busy' },
  draining: { status: 503, title: 'The service is shutting down' },
  quarantined: { status: 503, title: 'The command is quarantined' },
  migrating: { status: 503, title: 'The service is migrating its database' },
  'front-unreachable': { status: 503, title: 'The front does not answer as expected' },
  'host-silent': { status: 503, title: 'The host does not answer' },
  'store-unavailable': { status: 503, title: 'The store is unavailable' },
  'store-went-back': { status: 503, title: 'The database lacks events that were acknowledged' },
  'subject-keys-unavailable': { status: 503, title: 'The keys of subjects cannot be used at the moment' },
  'keys-unavailable': { status: 503, title: 'Credentials cannot be checked at the moment' },
  'held-back': { status: 503, title: 'The transport filter of this host holds the message back' },
  'transport-unreachable': { status: 503, title: 'The transport cannot be reached' },
  'outcome-unknown': { status: 503, title: 'It is unknown whether the command was committed' },
  'cluster-unreachable': { status: 503, title: 'The Kubernetes API cannot be reached' },
  'cluster-refused': { status: 502, title: 'The Kubernetes API refused a request' },
  'deadline-exceeded': { status: 504, title: 'The command took too long' },
} as const satisfies Record<string, Row>);
for (const row of Object.values(problems)) Object.freeze(row);

export type ProblemCode = keyof typeof problems;

/** One fault of an input, located by a JSON Pointer. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export interface ProblemInit {
  readonly status?: number;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
  /** Seconds until the caller may retry. */
  readonly retryAfter?: number;
  /** Additional members of the response, such as `committed`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Additional response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; clients never see it. */
  readonly cause?: unknown;
}

/**
 * An error in a form that callers may see.
 *
 * @example
 * ```ts
 * if (order === undefined)
 *   throw new Problem('order-not-found', { status: 404, title: 'There is no such order' });
 * ```
 */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: readonly Fault[] | undefined;
  readonly retryAfter: number | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: ProblemCode | (string & {}), init: ProblemInit = {}) {
    const row: Row | undefined = Object.hasOwn(problems, code) ? problems[code as ProblemCode] : undefined;
    super(
      init.detail ?? init.title ?? row?.title ?? code,
      init.cause === undefined ? undefined : { cause: init.cause },
    );
    this.name = 'Problem';
    this.code = code;
    this.status = init.status ?? row?.status ?? 500;
    this.title = init.title ?? row?.title ?? code;
    this.detail = init.detail;
    this.errors = init.errors;
    this.retryAfter = init.retryAfter;
    this.extensions = init.extensions;
    this.headers = init.headers;
  }
}
