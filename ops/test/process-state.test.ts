import { createServer } from 'node:net';
import { once } from 'node:events';
import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { restoreChanges, leftOpen, processState } from './process-state.js';

const test = suite('process-state');

test('Nothing that happened leaves nothing', () => {
  const before = processState();
  assert.equal([restoreChanges(before), leftOpen(before)], [[], []]);
});

test('A variable of the environment that was changed is named and put back', () => {
  process.env['SVC_TEST_CHANGED'] = 'before';
  const before = processState();
  process.env['SVC_TEST_CHANGED'] = 'after';
  process.env['SVC_TEST_ADDED'] = 'more';
  assert.equal(restoreChanges(before), [
    'has changed process.env.SVC_TEST_CHANGED',
    'has changed process.env.SVC_TEST_ADDED',
  ]);
  assert.equal([process.env['SVC_TEST_CHANGED'], process.env['SVC_TEST_ADDED']], ['before', undefined]);
  delete process.env['SVC_TEST_CHANGED'];
});

test('A global that was added and a function that was replaced are named', () => {
  const before = processState();
  const { random } = Math;
  Math.random = () => 4;
  Reflect.set(globalThis, 'loaves', 3);
  assert.equal(restoreChanges(before), ['has changed Math.random', 'has changed loaves']);
  Math.random = random;
  Reflect.deleteProperty(globalThis, 'loaves');
});

test('A tracer provider that was left is named', () => {
  const before = processState();
  trace.setGlobalTracerProvider(new ProxyTracerProvider());
  assert.equal(restoreChanges(before), ['has changed the tracer provider']);
  trace.disable();
  assert.equal(restoreChanges(before), []);
});

test('A timer, a server and a listener that were left are named', async () => {
  const before = processState();
  const server = createServer().listen(0);
  await once(server, 'listening');
  const timer = setTimeout(() => undefined, 10_000);
  const listener = () => undefined;
  process.on('SIGUSR2', listener);
  assert.equal(leftOpen(before), ['TCPServerWrap', 'Timeout', 'a listener for SIGUSR2 of the process']);
  clearTimeout(timer);
  process.off('SIGUSR2', listener);
  server.close();
  await once(server, 'close');
});

test('A listener of the process that was removed is named, also if another took its place', () => {
  const [listener, other] = [() => undefined, () => undefined];
  process.on('SIGUSR2', listener);
  const before = processState();
  process.off('SIGUSR2', listener).on('SIGUSR2', other);
  assert.equal(restoreChanges(before), ['has removed a listener for SIGUSR2 of the process']);
  process.off('SIGUSR2', other);
});
