/** The part of a client with processes that does not depend on the service; raw, so that its escapes are those of the client. */
export const clientProcessSupport = String.raw`
export interface ProcessWait {
  /** An ISO 8601 duration such as PT5M; PT30S by default. */
  readonly within?: string;
  readonly signal?: AbortSignal;
}

/** The result of a command, and the process that it has started. */
export interface Started<Result, Process> extends Promise<Result> {
  /** Fails with the code "no-process" when the command has started none, and for a repeated answer. */
  process(): Promise<Process>;
}

/** The instances of a process. */
export class Processes<Instance, State extends string> {
  readonly #call: Call;
  readonly #route: string;

  constructor(call: Call, route: string) {
    this.#call = call;
    this.#route = route;
  }

  /** As it is now; a ProblemError with the code "not-found" when there is none. */
  async get(key: string, options?: CallOptions): Promise<Instance> {
    return this.#call.get(this.#pathOf(key), options);
  }

  /**
   * Waits until the instance is in one of the states, has ended or is parked. Fails with the code "still-running" when
   * it is not by then, or with what the service said last.
   */
  async until(
    key: string,
    states: readonly State[],
    { within = 'PT30S', signal }: ProcessWait = {},
  ): Promise<Instance> {
    const end = Date.now() + millisecondsIn(within);
    const query = states.length === 0 ? '' : '?until=' + states.map(encodeURIComponent).join();
    const path = this.#pathOf(key) + query;
    for (let rounds = 0; ; rounds++) {
      let last: unknown;
      try {
        const seconds = Math.min(60, Math.max(0, Math.ceil((end - Date.now()) / 1000)));
        const headers = { prefer: 'wait=' + String(seconds) };
        const response = await this.#call.request('GET', path, signal === undefined ? { headers } : { headers, signal });
        const instance = (await response.json()) as Instance;
        if (response.status !== 202) return instance;
        last = stillRunning(this.#route, key, within);
      } catch (error) {
        signal?.throwIfAborted();
        if (!mayComeLater(error)) throw error;
        last = error;
      }
      if (Date.now() >= end) throw last;
      // Another host may answer: clients of one that stops must not come back all at once.
      await pauseFor(Math.min(2_000, 100 * 2 ** Math.min(rounds, 5)) * (0.5 + Math.random() / 2), signal);
    }
  }

  /** In a URL, one or two dots are no name but a place: the request would go to another route. */
  #pathOf(key: string): string {
    if (!/^\.{0,2}$/.test(key)) return this.#route + '/' + encodeURIComponent(key);
    const detail = 'There is no instance with such a key.';
    throw new ProblemError({ type: 'urn:svc:problem:not-found', title: 'Not found', status: 404, detail });
  }
}

/** The process that a command has started. */
export class StartedProcess<Instance, State extends string> extends Processes<Instance, State> {
  constructor(
    call: Call,
    route: string,
    readonly key: string,
  ) {
    super(call, route);
  }
}

/** Sends a command; the answer links to what it has started. */
function start<Result, Process>(
  call: Call,
  route: string,
  body: unknown,
  routes: readonly string[],
  options: CallOptions = {},
): Started<Result, Process> {
  const answered = call.request('POST', route, options, body).then(async (response) => {
    const text = await response.text();
    const result = (text === '' ? undefined : JSON.parse(text)) as Result;
    return { result, links: response.headers.get('link') ?? '' };
  });
  const process = async (): Promise<Process> => startedIn((await answered).links, call, routes) as Process;
  return Object.assign(
    answered.then(({ result }) => result),
    { process },
  );
}

function startedIn(links: string, call: Call, routes: readonly string[]): StartedProcess<unknown, string> {
  for (const [, path = ''] of links.matchAll(/<([^<>]*)>; rel="monitor"/g)) {
    const slash = path.lastIndexOf('/');
    const route = routes.find((one) => one === path.slice(0, slash));
    if (route !== undefined) return new StartedProcess(call, route, decodeURIComponent(path.slice(slash + 1)));
  }
  const title = 'The answer names no process that the command has started';
  throw new ProblemError({ type: 'urn:svc:problem:no-process', title, status: 404 });
}

/** The process may not have started yet, or the service may be busy or away. */
const mayComeLater = (error: unknown): boolean =>
  !(error instanceof ProblemError) || error.status === 404 || error.status === 429 || error.status >= 500;

const stillRunning = (route: string, key: string, within: string): ProblemError =>
  new ProblemError({
    type: 'urn:svc:problem:still-running',
    title: 'The process is still running',
    status: 202,
    detail: route + '/' + key + ' is in none of these states after ' + within + '.',
  });

function millisecondsIn(duration: string): number {
  const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration)?.slice(1);
  if (parts === undefined) throw new RangeError('within must be a duration such as PT30S, not ' + duration);
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let wake = (): void => undefined;
  const paused = new Promise<void>((resolve) => (wake = resolve));
  const timer = setTimeout(wake, ms);
  signal?.addEventListener('abort', wake);
  await paused;
  clearTimeout(timer);
  signal?.removeEventListener('abort', wake);
  signal?.throwIfAborted();
}
`;
