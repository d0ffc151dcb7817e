import { transform } from 'esbuild';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { emitClient } from './client.js';

const test = suite('client');

interface Sending {
  createOrder(command: unknown): Promise<unknown>;
}

interface Options {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly token?: string | (() => string | Promise<string>);
  readonly headers?: Record<string, string> | (() => Promise<Record<string, string>>);
}

type ClientClass = new (options: Options) => Sending;

async function clientClass(): Promise<ClientClass> {
  const { code } = await transform(emitClient(exampleModel()), { loader: 'ts', format: 'esm' });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    Client: ClientClass;
  };
  return module.Client;
}

/** The URL that a client with this base URL requests. */
async function askedFrom(baseUrl: string): Promise<string> {
  const Client = await clientClass();
  const asked: string[] = [];
  const answer: typeof fetch = (address) => {
    asked.push(address as string);
    return Promise.resolve(new Response('{}'));
  };
  await new Client({ baseUrl, fetch: answer }).createOrder({});
  return asked.join(' ');
}

test('routes are appended to the whole base URL, including the prefix of a proxy', async () => {
  assert.is(await askedFrom('http://127.0.0.1:3000'), 'http://127.0.0.1:3000/orders');
  assert.is(await askedFrom('http://127.0.0.1:3000/'), 'http://127.0.0.1:3000/orders');
  assert.is(await askedFrom('https://example.com/shop/v1'), 'https://example.com/shop/v1/orders');
  assert.is(await askedFrom('https://example.com/shop/v1/'), 'https://example.com/shop/v1/orders');
});

/** The authorization and the tenant that each of two calls sends. */
async function sentWith(options: Pick<Options, 'token' | 'headers'>): Promise<readonly string[]> {
  const Client = await clientClass();
  const sent: string[] = [];
  const answer: typeof fetch = (_, init) => {
    const headers = new Headers(init?.headers);
    sent.push(`${headers.get('authorization')} ${headers.get('x-tenant')}`);
    return Promise.resolve(new Response('{}'));
  };
  const client = new Client({ baseUrl: 'http://127.0.0.1:3000', fetch: answer, ...options });
  await client.createOrder({});
  await client.createOrder({});
  return sent;
}

test('a token is sent as a bearer token, beside the headers of the client', async () => {
  const headers = { 'x-tenant': 'north' };
  assert.equal(await sentWith({ headers }), ['null north', 'null north']);
  assert.equal(await sentWith({ token: 'abc', headers }), ['Bearer abc north', 'Bearer abc north']);
});

test('a function is asked for the token and the headers before each call, so that they can be renewed', async () => {
  let calls = 0;
  assert.equal(await sentWith({ token: () => `t${(calls += 1)}` }), ['Bearer t1 null', 'Bearer t2 null']);
  const headers = () => Promise.resolve({ authorization: `Bearer h${(calls += 1)}`, 'x-tenant': 'south' });
  assert.equal(await sentWith({ headers }), ['Bearer h3 south', 'Bearer h4 south']);
  assert.equal(await sentWith({ token: () => Promise.resolve('later') }), Array(2).fill('Bearer later null'));
});
