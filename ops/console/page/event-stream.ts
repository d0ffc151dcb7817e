interface EventStreamListener {
  open(): void;
  event(name: string, data: string): void;
  /** The status of a refusal; undefined if the connection was cut. */
  ended(status: number | undefined, problem: { readonly detail?: string }): void;
}

export interface EventStream {
  close(): void;
}

/** Server-sent events with the reason of a refusal, which an EventSource does not reveal. */
export function openEventStream(address: string, listener: EventStreamListener): EventStream {
  const abort = new AbortController();
  void follow(address, listener, abort.signal).then(({ status, problem = {} }) => {
    if (!abort.signal.aborted) listener.ended(status, problem);
  });
  return { close: () => abort.abort() };
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
