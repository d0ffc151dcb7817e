import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { mustPassWithoutEval, withoutEval } from './testing/without-eval.js';

const test = suite('no code from strings');

/** The parts on the path of a command that are not the HTTP server. */
const modules = [
  ...['codec', 'codec-scalars', 'encoding', 'redaction'].map((name) => `contracts/${name}`),
  ...['stored-rows', 'flush-call', 'encode-unit'].map((name) => `runtime/store/${name}`),
  ...['dispatcher', 'command-handler'].map((name) => `actors/commands/${name}`),
  ...['lifecycle', 'lifecycle-machine'].map((name) => `endpoints/lifecycle/${name}`),
  ...['registrations', 'mutation-endpoint'].map((name) => `endpoints/${name}`),
  ...['document-cache', 'executor', 'plan', 'scalars', 'mutation-call'].map(
    (name) => `endpoints/graphql/${name}`,
  ),
  'runtime/transport/pack-nats-message',
];

test('codecs, GraphQL, lifecycle, dispatcher and store run no code from strings', () => {
  mustPassWithoutEval(modules);
});

test('in the HTTP server only the router of Fastify makes code from strings', () => {
  const { stderr } = withoutEval('-e', "require('fastify')().get('/', () => undefined)");
  assert.match(stderr, /EvalError: Code generation from strings disallowed/);
  assert.match(stderr, /find-my-way\/lib\/handler-storage\.js:\d+/);
});
