/** Follows a live stream until it is aborted, and continues after a lost connection where it was. */
export async function follow(url, { headers, signal, onEvent, onState }) {
  let lastEventId;
  for (let failures = 0; !signal.aborted;) {
    try {
      const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const response = await fetch(url, { headers: { ...headers, ...resume }, signal });
      if (response.status === 401 || response.status === 403) return onState('signed out');
      if (!response.ok) throw new TypeError(`The server answered ${response.status}.`);
      onState('live');
      for await (const event of eventsIn(response.body)) {
        failures = 0;
        lastEventId = event.id ?? lastEventId;
        onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      console.info(String(error));
    }
    onState('connecting');
    await pause(Math.min(10_000, 250 * 2 ** failures++) * (0.5 + Math.random() / 2));
  }
}

/** The server-sent events of a body: `{ id, event, data }` each. */
export async function* eventsIn(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (rest + value).split('\n\n');
    rest = frames.pop();
    for (const frame of frames) {
      const fields = Object.fromEntries(
        frame
          .split('\n')
          .filter((line) => !line.startsWith(':'))
          .map((line) => line.split(/: ?(.*)/s, 2)),
      );
      if (fields.event !== undefined) yield { ...fields, data: JSON.parse(fields.data ?? '{}') };
    }
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
