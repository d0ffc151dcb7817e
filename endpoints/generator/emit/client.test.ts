import { transform } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exampleModel } from '../testing/example-model.js';
import { emitClient } from './client.js';

const test = suite('client');

interface Sending {
  createOrder(command: unknown): Promise<unknown>;
}

type ClientClass = new (options: { readonly baseUrl: string; readonly fetch: typeof fetch }) => Sending;

/** The URL that a client with this base URL requests. */
async function askedFrom(baseUrl: string): Promise<string> {
  const { code } = await transform(emitClient(exampleModel()), { loader: 'ts', format: 'esm' });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    Client: ClientClass;
  };
  const asked: string[] = [];
  const answer: typeof fetch = (address) => {
    asked.push(address as string);
    return Promise.resolve(new Response('{}'));
  };
  await new module.Client({ baseUrl, fetch: answer }).createOrder({});
  return asked.join(' ');
}

test('routes are appended to the whole base URL, including the prefix of a proxy', async () => {
  assert.is(await askedFrom('http://127.0.0.1:3000'), 'http://127.0.0.1:3000/orders');
  assert.is(await askedFrom('http://127.0.0.1:3000/'), 'http://127.0.0.1:3000/orders');
  assert.is(await askedFrom('https://example.com/shop/v1'), 'https://example.com/shop/v1/orders');
  assert.is(await askedFrom('https://example.com/shop/v1/'), 'https://example.com/shop/v1/orders');
});

test.run();
