import { setTimeout as delay } from 'node:timers/promises';
import { newUuid } from '../../../contracts/uuid.js';
import { post } from '../../../endpoints/testing/http-client.js';

const everyMs = 10;

/** Sends 100 requests a second to a host for as long as this; returns how long each took, in milliseconds. */
export const requests = (url: string, seconds: number): Promise<number[]> =>
  requestsWhile(url, (ms) => ms < seconds * 1_000);

/** The same while the condition holds; it is given the time since the first request. */
export async function requestsWhile(url: string, mayGoOn: (ms: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  const sent: Promise<unknown>[] = [];
  const began = performance.now();
  for (let n = 0; mayGoOn(n * everyMs); n++) {
    await delay(began + n * everyMs - performance.now());
    const from = performance.now();
    const note = { noteId: newUuid(), text: 'x', shelf: 'a', n, userId: '' };
    sent.push(post(url, note, { path: '/write' }).then(() => times.push(performance.now() - from)));
  }
  await Promise.all(sent);
  return times;
}
