interface EventStreamListener {
  open(): void;
  /** Something arrived, if only a sign of life. */
  received(): void;
  event(name: string, data: string): void;
  /** The status of a refusal; undefined if the connection was cut. */
  ended(status: number | undefined, problem: { readonly detail?: string }): void;
}

export interface EventStream {
  close(): void;
}

/** A connection can break without a sign: after this silence, another one is tried. */
const silenceMs = 10_000;

/** Server-sent events with the reason of a refusal, which an EventSource does not reveal. */
export function openEventStream(address: string, listener: EventStreamListener): EventStream {
  const closed = new AbortController();
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), silenceMs);
  const received = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), silenceMs);
    listener.received();
  };
  const signal = AbortSignal.any([closed.signal, silent.signal]);
  void follow(address, { ...listener, received }, signal).then(({ status, problem = {} }) => {
    clearTimeout(timer);
    if (!closed.signal.aborted) listener.ended(status, problem);
  });
  return { close: () => closed.abort() };
}

interface End {
  readonly status?: number;
  readonly problem?: { readonly detail?: string };
}

async function follow(address: string, listener: EventStreamListener, signal: AbortSignal): Promise<End> {
  try {
    const response = await fetch(address, { signal, cache: 'no-store' });
    if (!response.ok || response.body === null)
      return { status: response.status, problem: (await response.json()) as End['problem'] & object };
    listener.open();
    await readEvents(response.body, listener);
  } catch {
    // Closed by the page or by the host; either way it has ended.
  }
  return {};
}

async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  listener: EventStreamListener,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    listener.received();
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) dispatch(block, listener);
  }
}

function dispatch(block: string, listener: EventStreamListener): void {
  const name = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (name !== undefined && data !== undefined) listener.event(name, data);
}
