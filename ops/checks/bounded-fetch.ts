import { Problem } from '../../contracts/problems.js';

export interface BoundedRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly atMostMs?: number;
  readonly atMostBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface BoundedAnswer {
  readonly status: number;
  readonly text: string;
}

/** One request to a server that may be slow, endless or not ours: bounded in time and size, without redirects. */
export async function boundedFetch(url: URL, request: BoundedRequest = {}): Promise<BoundedAnswer> {
  const { method = 'GET', headers = {}, body, atMostMs = 10_000, atMostBytes = 1 << 20, signal } = request;
  const timeout = AbortSignal.timeout(atMostMs);
  try {
    const answer = await fetch(url, {
      method,
      headers: { 'user-agent': 'svc-check', ...headers },
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, text: await textOf(answer, atMostBytes) };
  } catch (error) {
    if (error instanceof Problem || signal?.aborted === true) throw error;
    throw new Problem('host-silent', {
      detail: `${url.origin} ${reasonOf(error, atMostMs)}.`,
      cause: error,
    });
  }
}

async function textOf({ body }: Response, atMostBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > atMostBytes)
      throw new Problem('invalid-setup', { detail: `The answer is longer than ${atMostBytes} bytes.` });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown, atMostMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `did not answer within ${atMostMs / 1_000} s`;
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  return `cannot be reached (${cause?.code ?? cause?.message ?? 'unknown'})`;
}
