import { el } from './element.js';

export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Sends a request and shows its answer. */
export async function send({ url, ...request }: Request, answer: HTMLElement): Promise<void> {
  answer.replaceChildren(el('p', { class: 'quiet' }, 'Sending …'));
  const started = performance.now();
  try {
    const response = await fetch(url, request);
    const text = isStream(response) ? await firstPartOf(response) : await response.text();
    const details = [`${Math.round(performance.now() - started)} ms`, ...headerLines(response)].join(' · ');
    const status = el('b', {}, String(response.status));
    answer.replaceChildren(
      el('p', { class: response.ok ? 'good' : 'bad' }, status, ' ', el('small', {}, details)),
      ...(text === '' ? [] : [el('pre', { tabindex: '0' }, pretty(text))]),
    );
  } catch (error) {
    answer.replaceChildren(el('p', { class: 'bad' }, `No answer: ${(error as Error).message}`));
  }
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/** A stream has no end: its first event shows that it works. */
async function firstPartOf({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('event:')) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    text += part.value;
  }
  await reader?.cancel();
  return text;
}

const headerLines = ({ headers }: Response): readonly string[] =>
  ['x-correlation-id', 'idempotency-replayed', 'retry-after'].flatMap((name) =>
    headers.has(name) ? [`${name} ${headers.get(name) ?? ''}`] : [],
  );

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
