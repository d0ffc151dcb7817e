import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { asCurl, asTest, isCommand, operationOf, operationsIn } from './copy-request.js';

const test = suite('copied requests');

const operations = operationsIn({
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: { content: { 'application/json': { example: { street: "Rue d'Or" } } } },
      },
      get: { operationId: 'listOrders' },
    },
  },
});

const request = { command: 'CreateOrder', correlationId: 'table-7', status: 422, code: 'invalid-command' };

test('the operation of a command is found by its name, that of a read by its route', () => {
  assert.is(operationOf('CreateOrder', operations)?.method, 'post');
  assert.is(operationOf('GET /orders', operations)?.id, 'listOrders');
  assert.is(operationOf('GET /nowhere', operations), undefined);
});

test('as curl it has the route, the correlation id and an example of the body', () => {
  const text = asCurl(request, operationOf('CreateOrder', operations), 'http://127.0.0.1:3000');
  assert.match(text, "curl -i -g -X POST 'http://127.0.0.1:3000/orders'");
  assert.match(text, "-H 'x-correlation-id: table-7'");
  assert.match(text, '# The body is not recorded');
});

test('a body that was kept whole is copied, one that was cut is not', () => {
  const curl = (body: string): string =>
    asCurl({ ...request, body }, operationOf('CreateOrder', operations), 'http://h');
  assert.match(curl('{"street":"High Street"}'), `-d '{"street":"High Street"}'`);
  assert.not.match(curl('{}'), '# The body is not recorded');
  assert.match(curl('{"street": … (9 more characters)'), '# The body is not recorded');
  assert.match(asTest({ ...request, body: '{"n":7}' }, undefined), '"n": 7');
});

test('a shell passes hostile texts on as they are', () => {
  const command = "POST /it's;$(touch${IFS}x)`id`";
  const text = asCurl({ ...request, command, correlationId: 'a\'b"$HOME' }, undefined, 'http://h');
  const script = text.replace('curl', 'printf "%s\\n"');
  const shown = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n');
  assert.ok(shown.includes('x-correlation-id: a\'b"$HOME'));
  assert.ok(shown.includes("http://h/it's;$(touch${IFS}x)`id`"));
});

test('the path of a request cannot lead to another host', () => {
  const text = asCurl({ ...request, command: 'GET //evil.test/orders' }, undefined, 'http://h');
  assert.match(text, "'http://h//evil.test/orders'");
});

test('curl sends one request, whatever the path looks like', () => {
  for (const path of ['/[1-100000]', '/{a,b}'])
    assert.match(
      asCurl({ ...request, command: `GET ${path}` }, undefined, 'http://h'),
      `-g -X GET 'http://h${path}'`,
    );
});

test('what is no method is never part of a shell command', () => {
  const text = asCurl({ ...request, command: '$(id) /orders' }, undefined, 'http://h');
  assert.match(text, "curl -i -g -X POST 'http://h/orders'");
});

test('a read is copied without a body', () => {
  const text = asCurl({ ...request, command: 'GET /orders' }, undefined, 'http://h');
  assert.not.match(text, '-d');
  assert.match(text, "curl -i -g -X GET 'http://h/orders'");
});

test('as test it expects the refusal that was answered', () => {
  const text = asTest(request, operationOf('CreateOrder', operations));
  assert.match(text, '.when(CreateOrder.of({');
  assert.match(text, ".thenRefuses('invalid-command');");
  assert.match(asTest({ ...request, code: undefined }, undefined), '.outcome();');
});

test('a hostile code stays inside the text of a test', () => {
  const code = "a'); process.exit(1);\n//\\";
  const [line = ''] = asTest({ ...request, code }, undefined)
    .split('\n')
    .filter((one) => one.includes('thenRefuses'));
  assert.is(line.trim(), String.raw`.thenRefuses('a\'); process.exit(1); //\\');`);
});

test('a route is not a command', () => {
  assert.equal(['CreateOrder', 'GET /orders', 'POST '].map(isCommand), [true, false, false]);
});
