import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';

const test = suite('no code from strings');

const built = fileURLToPath(new URL('../', import.meta.url));

function withoutEval(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--disallow-code-generation-from-strings', ...args], {
    cwd: built,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
}

/** The parts on the path of a command that are not the HTTP server, and the maker of its codecs. */
const files = [
  ...['codec', 'codec-scalars', 'encoding', 'redaction'].map((name) => `contracts/${name}`),
  ...['stored-rows', 'flush-call', 'encode-unit'].map((name) => `runtime/store/${name}`),
  ...['dispatcher', 'command-handler'].map((name) => `actors/commands/${name}`),
  ...['lifecycle', 'lifecycle-machine', 'transition-table'].map((name) => `endpoints/lifecycle/${name}`),
  ...['run-endpoint', 'mutation-endpoint'].map((name) => `endpoints/${name}`),
  ...['document-cache', 'executor', 'plan', 'scalars', 'mutation-call'].map(
    (name) => `endpoints/graphql/${name}`,
  ),
  ...['decoder', 'encoder', 'redactor', 'graphql', 'codec'].map((name) => `endpoints/generator/emit/${name}`),
  'endpoints/generator/discover/type-reader',
  'runtime/transport/pack-nats-message',
];

test('codecs, generator, GraphQL, lifecycle, dispatcher and store run no code from strings', () => {
  const tests = files.map((file) => join(built, `${file}.test.js`));
  const { status, stdout, stderr } = withoutEval(join(built, 'ops/test/run-in-one-process.js'), ...tests);
  assert.match(stdout, /\n\d{3,} passed, 0 failed\n$/, stderr);
  assert.is(status, 0);
});

test('in the HTTP server only the router of Fastify makes code from strings', () => {
  const { stderr } = withoutEval('-e', "require('fastify')().get('/', () => undefined)");
  assert.match(stderr, /EvalError: Code generation from strings disallowed/);
  assert.match(stderr, /find-my-way\/lib\/handler-storage\.js:\d+/);
});
