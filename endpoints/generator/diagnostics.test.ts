import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { command, diagnose, good, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics');
const mistake = mistakesOf(test);

test('a tree without mistakes has no diagnostics', async () => {
  assert.equal(await diagnose({ 'a.ts': good }), []);
});

mistake(
  'missing type arguments',
  'SVC1001',
  good.replace('<Ping, void>', ''),
  /write @CommandEndpoint<Ping, TheResult>/,
  'a.ts(4,2)',
);
mistake(
  'options that are not a literal',
  'SVC1002',
  command('Ping', 'options', '', `const options = { restRoute: '/x' };`),
  /object literal/,
);
mistake(
  'a computed route',
  'SVC1002',
  command('Ping', `{ restRoute: route() }`, '', `const route = (): string => '/x';`),
  /restRoute must be a string literal/,
);
mistake(
  'a request type that is not a class',
  'SVC1003',
  command('Ping', `{ restRoute: '/x', requestType: Req }`, '', `const Req = null as never;`),
  /requestType must be a class/,
);
mistake(
  'a first type argument of another class',
  'SVC1004',
  good.replace('<Ping, void>', '<Pong, void>') + 'export class Pong extends Command {}',
  /must be Ping/,
);
mistake(
  'a route without a slash',
  'SVC1005',
  command('Ping', `{ restRoute: 'ping' }`),
  /must start with '\/'/,
);
mistake(
  'a route with a parameter',
  'SVC1005',
  command('Ping', `{ restRoute: '/ping/:id' }`),
  /must start with '\/' and contain only/,
);
test('SVC1005: a route that the host itself serves', async () => {
  const served = [
    '/graphql',
    '/health/live',
    '/docs',
    '/console/api/orders',
    '/.well-known/oauth-protected-resource',
  ];
  const routes = [...served, '/healthcare', '/.well-known/security.txt'];
  const sources = routes.map((route, n) => [`${n}.ts`, command(`Ping${n}`, `{ restRoute: '${route}' }`)]);
  const lines = await diagnose(Object.fromEntries(sources) as Record<string, string>);
  assert.equal(
    lines.map((line) => /SVC1005: the host itself serves '(.+)'/.exec(line)?.[1]),
    served,
  );
});
mistake(
  'a command that is not exported',
  'SVC1006',
  good.replace('export class Ping ', 'class Ping '),
  /must be an exported class/,
);
mistake(
  'two commands with one route',
  'SVC1007',
  good + command('Pong', `{ restRoute: '/ping' }`).replace(/import.*\n/, ''),
  /Pong has the same route '\/ping' as Ping at a\.ts\(4,1\)/,
);
mistake(
  'two commands with one mutation',
  'SVC1008',
  command('Ping', `{ graphQLMutation: 'p' }`) +
    command('Pong', `{ graphQLMutation: 'p' }`).replace(/import.*\n/, ''),
  /mutation 'p' as Ping/,
);
mistake(
  'a command without a receptor',
  'SVC1009',
  good.replace(/export class PingReceptor[^]*/, ''),
  /no receptor handles Ping; write a class that implements Receptor<Ping, void>$/,
);
mistake(
  'a receptor whose command has no mark',
  'SVC1052',
  `${good}
export class Pong extends Command {}
export class PongReceptor implements Receptor<Pong, void> { handle(): void {} }`,
  /Pong is not marked as a command; give its class @CommandEndpoint<Pong, TheResult>\(\), without a route where only/,
);
mistake(
  'a command with two receptors',
  'SVC1010',
  good + 'export class Second implements Receptor<Ping, void> { handle(): void {} }',
  /another receptor at a\.ts/,
);
mistake(
  'a command with two endpoints',
  'SVC1011',
  good +
    `import { PingEndpoint as G } from './generated/ping.endpoint.js'; export class A extends G {} export class B extends G {}`,
  /another endpoint at a\.ts/,
);
mistake(
  'a request type without a mapper',
  'SVC1012',
  command('Ping', `{ restRoute: '/x', requestType: Req }`, '', 'export class Req {}'),
  /svc generate --stub Ping/,
);
mistake(
  'a request type without an endpoint',
  'SVC1013',
  command('Ping', `{ requestType: Req }`, '', 'export class Req {}'),
  /Ping has a requestType but no endpoint/,
);
mistake(
  'an endpoint class for a command without an endpoint',
  'SVC1013',
  command('Ping', '') +
    `import { PingEndpoint as G } from './generated/ping.endpoint.js'; export class A extends G {}`,
  /no PingEndpoint is generated/,
);
mistake(
  'an option with a misspelled name',
  'SVC1031',
  command('Ping', `{ restRoute: '/x', graphqlMutation: 'ping' }`),
  /no option 'graphqlMutation'; did you mean graphQLMutation\?/,
);
mistake(
  'an option that does not exist',
  'SVC1031',
  command('Ping', `{ restRoute: '/x', method: 'PUT' }`),
  /no option 'method'; use restRoute, graphQLMutation, requestType/,
);
mistake(
  'spread options',
  'SVC1002',
  command('Ping', `{ ...shared }`, '', `const shared = { restRoute: '/x' };`),
  /write out each option/,
);
mistake(
  'a command that needs constructor arguments',
  'SVC1018',
  command('Ping', `{ restRoute: '/x' }`, 'constructor(readonly id: string) { super(); }'),
  /constructible without arguments/,
);
mistake(
  'an invalid mutation name',
  'SVC1023',
  command('Ping', `{ graphQLMutation: 'do-it' }`),
  /not a GraphQL name/,
);
mistake(
  'a command class that does not extend Command',
  'SVC1024',
  good.replace('extends Command', ''),
  /must extend Command/,
);
mistake(
  'a receptor that is not exported',
  'SVC1025',
  good.replace('export class PingReceptor', 'class PingReceptor'),
  /must be an exported class/,
);
mistake(
  'a parameter without a type',
  'SVC1017',
  good.replace('handle(): void {}', 'constructor(readonly clock) {} handle(): void {}'),
  /needs a type/,
);

mistake(
  'two commands with one generated file name',
  'SVC1030',
  command('PingPong', `{ restRoute: '/a' }`) +
    command('PINGPong', `{ restRoute: '/b' }`).replace(/^import .*$/m, ''),
  /PINGPong has the same generated file 'generated\/ping-pong\.endpoint\.ts' as PingPong at a\.ts\(\d+,1\)/,
);

mistake(
  'two commands with one client method',
  'SVC1030',
  command('Ping', `{ restRoute: '/a' }`) +
    command('Pong', `{ restRoute: '/b', graphQLMutation: 'ping' }`).replace(/^import .*$/m, ''),
  /Ping has the same client method 'ping' as Pong at a\.ts/,
);

mistake(
  'a type with a name that the client uses',
  'SVC1016',
  command('ProblemError', `{ restRoute: '/a' }`),
  /the generated client uses the type name 'ProblemError' itself/,
);

mistake(
  'a type with a name that the client has from JavaScript',
  'SVC1016',
  command('Response', `{ restRoute: '/a' }`),
  /the generated client uses the type name 'Response' itself/,
);

mistake(
  'a command that is a default export',
  'SVC1006',
  command('Ping', `{ restRoute: '/a' }`).replace('export class Ping ', 'export default class Ping '),
  /a command must be an exported class with a name/,
);
