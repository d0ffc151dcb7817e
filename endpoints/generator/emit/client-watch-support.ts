/** The part of a client that follows live streams; raw, so that its escapes are those of the client. */
export const clientWatchSupport = String.raw`
/** What happened to the rows that are watched. */
export type RowsChange<Row> =
  /** Read the list now: everything that changes from here on follows. */
  | { readonly type: 'ready'; readonly position: string }
  /** Read the list again: the model was rebuilt, or more was missed than is worth sending. */
  | { readonly type: 'reset'; readonly position: string }
  | { readonly type: 'changed'; readonly position: string; readonly id: string; readonly row: Row }
  /** Deleted, or it left the filter. */
  | { readonly type: 'gone'; readonly position: string; readonly id: string };

export interface RowsWatchOptions {
  /** Ends the iteration with its reason. */
  readonly signal?: AbortSignal;
  /** The position of the last change that you have; without it the first change is "ready". */
  readonly after?: string;
  /** Reconnects when nothing came for so long: 45,000 by default. The service sends a comment every 15 seconds. */
  readonly silenceMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RowsEvent {
  readonly type: string;
  readonly data: string;
  readonly position: string;
}

const longestRetryMs = 30_000;
const longestEvent = 16_777_216;
const longestPosition = 64;

/** Reads server-sent events, wherever they are cut into parts. */
class RowsEvents {
  retryMs = 1_000;
  #events: RowsEvent[] = [];
  #line = '';
  #skipsNewline = false;
  #type = '';
  #data: string[] = [];
  #hasPosition = false;
  #length = 0;

  constructor(private position: string) {}

  next(): RowsEvent | undefined {
    return this.#events.shift();
  }

  push(text: string): void {
    if (text === '') return;
    let start = this.#skipsNewline && text.startsWith('\n') ? 1 : 0;
    this.#skipsNewline = text.endsWith('\r');
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 10 && code !== 13) continue;
      this.#take(this.#line + text.slice(start, at));
      this.#line = '';
      if (code === 13 && text.charCodeAt(at + 1) === 10) at++;
      start = at + 1;
    }
    this.#line += text.slice(start);
    if (this.#length + this.#line.length > longestEvent) throw unreadable('An event is too long');
  }

  #take(line: string): void {
    if (line === '') return this.#dispatch();
    this.#length += line.length;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line.charAt(colon + 1) === ' ' ? 2 : 1));
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#type = value;
    else if (name === 'id' && value.length <= longestPosition && !value.includes('\0')) {
      this.position = value;
      this.#hasPosition = true;
    } else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Math.max(1, Number(value));
  }

  #dispatch(): void {
    if (this.#hasPosition || this.#data.length > 0) {
      // Of several positions in a row, the last one is enough.
      if (this.#type === '' && this.#events.at(-1)?.type === '') this.#events.pop();
      this.#events.push({ type: this.#type, data: this.#data.join('\n'), position: this.position });
    }
    this.#hasPosition = false;
    this.#type = '';
    this.#data = [];
    this.#length = 0;
  }
}

/** One connection. */
class RowsConnection {
  readonly events: RowsEvents;
  readonly #abort = new AbortController();
  readonly #decoder = new TextDecoder();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(
    position: string,
    private readonly silenceMs: number,
  ) {
    this.events = new RowsEvents(position);
  }

  async open(call: Call, route: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const response = await this.#unlessSilent(() =>
      call.request('GET', route, { headers, signal: this.#abort.signal }),
    );
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null || !type.startsWith('text/event-stream'))
      throw unreadable('The answer is not a live stream', response.status);
    this.#reader = response.body.getReader();
  }

  /** Undefined: the connection has ended. */
  async next(): Promise<RowsEvent | undefined> {
    for (;;) {
      const event = this.events.next();
      if (event !== undefined) return event;
      const part = await this.#unlessSilent(async () => this.#reader?.read());
      if (part?.value === undefined) return undefined;
      this.events.push(this.#decoder.decode(part.value, { stream: true }));
    }
  }

  close(reason?: Error): void {
    this.#abort.abort(reason);
    this.#reader?.cancel().catch(() => undefined);
  }

  async #unlessSilent<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.close(new Error('The service has sent nothing')), this.silenceMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Continues on a new connection after each one that is lost. */
class RowsWatch<Row> {
  #connection: RowsConnection | undefined;
  #position: string;
  #retryMs = 1_000;
  #failures = 0;
  #wasOpen = false;
  readonly #close = (): void => this.close();

  constructor(
    private readonly call: Call,
    private readonly route: string,
    private readonly options: RowsWatchOptions,
  ) {
    this.#position = options.after ?? '';
    options.signal?.addEventListener('abort', this.#close);
  }

  async next(): Promise<RowsChange<Row>> {
    const { signal } = this.options;
    for (;;) {
      signal?.throwIfAborted();
      try {
        const connection = (this.#connection ??= await this.#connect());
        const event = await connection.next();
        this.#retryMs = connection.events.retryMs;
        const change = event && this.#changeIn(event);
        if (change !== undefined) return change;
        if (event !== undefined && this.#connection !== undefined) continue;
      } catch (error) {
        signal?.throwIfAborted();
        if (!this.#wasOpen || !mayPass(error)) throw error;
      }
      this.close();
      await this.#pause();
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  end(): void {
    this.options.signal?.removeEventListener('abort', this.#close);
    this.close();
  }

  async #connect(): Promise<RowsConnection> {
    const { headers, silenceMs = 45_000 } = this.options;
    const connection = new RowsConnection(this.#position, silenceMs);
    this.#connection = connection;
    await connection.open(this.call, this.route, {
      accept: 'text/event-stream',
      ...(this.#position === '' ? {} : { 'last-event-id': this.#position }),
      ...headers,
    });
    this.#wasOpen = true;
    return connection;
  }

  /** Undefined: nothing for the caller. */
  #changeIn({ type, data, position }: RowsEvent): RowsChange<Row> | undefined {
    this.#failures = 0;
    this.#position = position;
    if (type === 'ready' || type === 'reset') return { type, position };
    if (type === 'changed' || type === 'gone') return { ...rowIn<Row>(data), type, position };
    if (type !== 'closed') return undefined;
    const { reason } = rowIn<Row>(data);
    if (reason === 'draining' || reason === 'slow') this.close();
    else throw closedBecause(reason);
    return undefined;
  }

  /** Clients of a host that stops must not come back all at once. */
  async #pause(): Promise<void> {
    const most = Math.min(longestRetryMs, this.#retryMs * 2 ** Math.min(this.#failures++, 15));
    const { signal } = this.options;
    let wake = (): void => undefined;
    const paused = new Promise<void>((resolve) => (wake = resolve));
    const timer = setTimeout(wake, most * (0.5 + Math.random() / 2));
    signal?.addEventListener('abort', wake);
    await paused;
    clearTimeout(timer);
    signal?.removeEventListener('abort', wake);
  }
}

/** Whether a later attempt may succeed. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ProblemError) || error.status === 429 || error.status >= 500;

function rowIn<Row>(data: string): { readonly id: string; readonly row: Row; readonly reason?: string } {
  try {
    return JSON.parse(data) as { readonly id: string; readonly row: Row };
  } catch {
    throw unreadable('An event is not JSON');
  }
}

const unreadable = (title: string, status = 200): ProblemError =>
  new ProblemError({ type: 'urn:svc:problem:unreadable-stream', title, status });

const closedBecause = (reason = 'unknown'): ProblemError =>
  new ProblemError({
    type: 'urn:svc:problem:stream-closed',
    title: 'The service has ended the stream: ' + reason,
    status: reason === 'permission' ? 403 : 400,
    reason,
  });
`;
