import { transform } from 'esbuild';
import { emitClient } from '../emit/client.js';
import { exampleWithReads } from './example-model.js';

/** The members of a client that read one perspective. */
export interface Reading {
  list(query?: unknown, options?: object): Promise<{ readonly data: readonly unknown[] }>;
  get(id: string, options?: object): Promise<unknown>;
  all(query?: unknown, options?: object): AsyncIterable<unknown>;
  watch(what?: unknown, options?: object): AsyncGenerator<Change, void, undefined>;
}

export interface Change {
  readonly type: string;
  readonly position: string;
  readonly id?: string;
  readonly row?: unknown;
}

interface Options {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}

type ClientClass = new (options: Options) => { readonly shopAddresses: Reading };

let emitted: Promise<{ readonly Client: ClientClass }> | undefined;

async function load(): Promise<{ readonly Client: ClientClass }> {
  const { code } = await transform(emitClient(exampleWithReads()), { loader: 'ts', format: 'esm' });
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { Client: ClientClass };
}

interface Sent {
  readonly url: URL;
  readonly init: RequestInit | undefined;
}

/** The reads of a client, with the requests that it sent. */
export async function readingBy(
  answer: (url: URL, init: RequestInit | undefined) => Response | Promise<Response>,
): Promise<{ readonly rows: Reading; readonly sent: readonly Sent[] }> {
  const { Client } = await (emitted ??= load());
  const sent: Sent[] = [];
  const client = new Client({
    baseUrl: 'http://127.0.0.1:3000/api',
    token: 'abc',
    fetch: async (address, init) => {
      init?.signal?.throwIfAborted();
      const url = new URL(address);
      sent.push({ url, init });
      return answer(url, init);
    },
  });
  return { rows: client.shopAddresses, sent };
}
