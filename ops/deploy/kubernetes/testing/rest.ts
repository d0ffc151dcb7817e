import { send } from '../api-request.js';
import { type Environment, findCluster } from '../cluster.js';

/** Any request to the API server, for what only tests do. */
export type Rest = <T>(method: string, path: string, body?: unknown) => Promise<T>;

export async function restOf(env: Environment): Promise<Rest> {
  const cluster = await findCluster(env);
  return async <T>(method: string, path: string, body?: unknown) => {
    const signal = AbortSignal.timeout(20_000);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { status, text } = await send(
      {
        method,
        url: new URL(path, cluster.server),
        accept: 'application/json',
        credentials: await cluster.credentials(signal),
        limit: 16_777_216,
        ...(body === undefined ? {} : { body: { type, text: JSON.stringify(body) } }),
      },
      signal,
    );
    if (status >= 300) throw new TypeError(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  };
}
