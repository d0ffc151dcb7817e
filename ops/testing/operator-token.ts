import { postUntilTaken, send } from '../../endpoints/testing/http-client.js';
import { type SpawnedHost } from './spawned-host.js';

export const get = (url: string, path: string, headers: Record<string, string>) =>
  send(url, { method: 'GET', path, headers });

const release = '/console/api/perspectives/order-summary/release';

export const act = (url: string, headers: Record<string, string> = {}) =>
  postUntilTaken(url, {}, { path: release, headers });

/** The token in the link printed beside the log. */
export const tokenIn = ({ output }: SpawnedHost): string =>
  /\/console#t=([\w-]+)\n/.exec(output.stderr.join(''))?.[1] ?? '';
