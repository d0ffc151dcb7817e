import { type Answered, post, send } from '../../endpoints/testing/http-client.js';
import { type SpawnedHost } from './spawned-host.js';

export const get = (url: string, path: string, headers: Record<string, string>) =>
  send(url, { method: 'GET', path, headers });

const release = '/console/api/perspectives/order-summary/release';

/** A host that gets no processor may ask for another try. */
export async function act(url: string, headers: Record<string, string> = {}): Promise<Answered> {
  let answer = await post(url, {}, { path: release, headers });
  for (let tries = 1; answer.status === 503 && tries < 20; tries++)
    answer = await post(url, {}, { path: release, headers });
  return answer;
}

/** The token in the link printed beside the log. */
export const tokenIn = ({ output }: SpawnedHost): string =>
  /\/console#t=([\w-]+)\n/.exec(output.stderr.join(''))?.[1] ?? '';
