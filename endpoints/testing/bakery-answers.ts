import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { collect } from '../../runtime/kit/collect.js';
import { type Bakery, type Kitchen, order, withBakery } from './bakery.js';
import { type Answered, post } from './http-client.js';

export async function answerOf(kitchen: Kitchen, path = '/bread', body: unknown = order): Promise<Answered> {
  const answers: Answered[] = [];
  await withBakery(kitchen, async ({ url }) => {
    answers.push(await post(url, body, { path }));
  });
  const [answer] = answers;
  assert.ok(answer);
  return answer;
}

export const throws = (error: unknown) => (): never => {
  throw error;
};

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

export const storedIn = ({ store }: Bakery) => collect(store.readAll({ after: 0 }));

/** `true` of an answer that was stored under the key of its request. */
export const replayed = ({ headers }: Answered): string | undefined => {
  const value = headers['idempotency-replayed'];
  return typeof value === 'string' ? value : undefined;
};
