/** One event of a stream of server-sent events. */
interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Yields the events of an answer as they arrive. */
export async function* eventsIn({ body }: Response): AsyncGenerator<StreamEvent> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const name = fieldOf(block, 'event');
      // Comments keep the connection open.
      if (name !== undefined) yield { name, data: fieldOf(block, 'data') ?? '' };
    }
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((text) => text.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}
