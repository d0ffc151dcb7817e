import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { command, diagnose, good, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics');
const mistake = mistakesOf(test);

test('a tree without mistakes has no diagnostics', async () => {
  assert.equal(await diagnose({ 'a.ts': good }), []);
});

test('SVC1000: a tree without commands', async () => {
  assert.match(
    (await diagnose({ 'a.ts': 'export {};' })).join(),
    /^tsconfig\.json\(1,1\): error SVC1000: no class here carries @CommandEndpoint/,
  );
});

mistake(
  'type arguments are missing',
  'SVC1001',
  good.replace('<Ping, void>', ''),
  /write @CommandEndpoint<Ping, TheResult>/,
  'a.ts(4,2)',
);
mistake(
  'the options are not a literal',
  'SVC1002',
  command('Ping', 'options', '', `const options = { restRoute: '/x' };`),
  /object literal/,
);
mistake(
  'a route is computed',
  'SVC1002',
  command('Ping', `{ restRoute: route() }`, '', `const route = (): string => '/x';`),
  /restRoute must be a string literal/,
);
mistake(
  'the request type is no class',
  'SVC1003',
  command('Ping', `{ restRoute: '/x', requestType: Req }`, '', `const Req = null as never;`),
  /requestType must be a class/,
);
mistake(
  'the first type argument is another class',
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
  /must start with '\/' and hold only/,
);
test('SVC1005: a route is one of the host itself', async () => {
  const routes = ['/graphql', '/health/live', '/docs', '/console/api/orders', '/healthcare'];
  const sources = routes.map((route, n) => [`${n}.ts`, command(`Ping${n}`, `{ restRoute: '${route}' }`)]);
  const lines = await diagnose(Object.fromEntries(sources) as Record<string, string>);
  assert.equal(
    lines.map((line) => /SVC1005: the host itself answers at '(.+)'/.exec(line)?.[1]),
    routes.slice(0, 4),
  );
});
mistake(
  'a command is not exported',
  'SVC1006',
  good.replace('export class Ping ', 'class Ping '),
  /must be an exported class/,
);
mistake(
  'two commands have one route',
  'SVC1007',
  good + command('Pong', `{ restRoute: '/ping' }`).replace(/import.*\n/, ''),
  /Pong has the route '\/ping' of Ping at a\.ts\(4,1\)/,
);
mistake(
  'two commands have one mutation',
  'SVC1008',
  command('Ping', `{ graphQLMutation: 'p' }`) +
    command('Pong', `{ graphQLMutation: 'p' }`).replace(/import.*\n/, ''),
  /mutation 'p' of Ping/,
);
mistake(
  'a command has no receptor',
  'SVC1009',
  good.replace(/export class PingReceptor[^]*/, ''),
  /no receptor handles Ping/,
);
mistake(
  'a command has two receptors',
  'SVC1010',
  good + 'export class Second implements Receptor<Ping, void> { handle(): void {} }',
  /another receptor at a\.ts/,
);
mistake(
  'a command has two endpoints',
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
  'a request type without an endpoint to take it',
  'SVC1013',
  command('Ping', `{ requestType: Req }`, '', 'export class Req {}'),
  /Ping has a requestType and no endpoint/,
);
mistake(
  'an endpoint for a command that has none',
  'SVC1013',
  command('Ping', '') +
    `import { PingEndpoint as G } from './generated/ping.endpoint.js'; export class A extends G {}`,
  /no PingEndpoint is generated/,
);
mistake(
  'an option with a misspelt name',
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
  'options that are spread from elsewhere',
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
  'a mutation name that is none',
  'SVC1023',
  command('Ping', `{ graphQLMutation: 'do-it' }`),
  /no GraphQL name/,
);
mistake(
  'a command that is no Command',
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
  'two commands whose generated files have one name',
  'SVC1030',
  command('PingPong', `{ restRoute: '/a' }`) +
    command('PINGPong', `{ restRoute: '/b' }`).replace(/^import .*$/m, ''),
  /PINGPong has the generated file 'generated\/ping-pong\.endpoint\.ts' of PingPong at a\.ts\(\d+,1\)/,
);

mistake(
  'two commands with one method in the client',
  'SVC1030',
  command('Ping', `{ restRoute: '/a' }`) +
    command('Pong', `{ restRoute: '/b', graphQLMutation: 'ping' }`).replace(/^import .*$/m, ''),
  /Ping has the client method 'ping' of Pong at a\.ts/,
);

mistake(
  'a type that is called like a part of the client',
  'SVC1016',
  command('ProblemError', `{ restRoute: '/a' }`),
  /the type name 'ProblemError' is the generated client's own/,
);

mistake(
  'a command that is exported as default',
  'SVC1006',
  command('Ping', `{ restRoute: '/a' }`).replace('export class Ping ', 'export default class Ping '),
  /a command must be an exported class with a name/,
);

test('SVC1014: one message name in two files names both', async () => {
  const event = `import { Event } from 'svc-runtime'; export class Ping extends Event {}`;
  const lines = await diagnose({ 'a.ts': good, 'b.ts': event });
  assert.ok(
    lines.some((line) =>
      /b\.ts\(1,\d+\): error SVC1014: the message name Ping is also used at a\.ts/.test(line),
    ),
    lines.join('\n'),
  );
});

test('SVC1017: one parameter name with two types names both', async () => {
  const with2 = (name: string, type: string) =>
    command(name, `{ restRoute: '/${name}' }`).replace(
      'handle(): void {}',
      `constructor(readonly clock: ${type}) {} handle(): void {}`,
    );
  const lines = await diagnose({ 'a.ts': with2('Ping', 'string'), 'b.ts': with2('Pong', 'number') });
  assert.match(lines.join(), /SVC1017: 'clock' is a number here and a string at a\.ts/);
});

test('SVC1021: a syntax error is told in one line', async () => {
  const lines = await diagnose({ 'a.ts': good, 'b.ts': 'export const = 1;' });
  assert.match(lines[0] ?? '', /^b\.ts\(1,14\): error SVC1021: /);
});

const perspective = (members: string) => `${good}
import type { Perspective } from 'svc-runtime';
export class Pings implements Perspective<{ count: Int }> {
  readonly name = 'pings';
  readonly events = [];
  initial() { return { count: 0 }; }
  apply(pings: { count: Int }) { return pings; }
  ${members}
}`;

mistake(
  'the route of a perspective is not known',
  'SVC1027',
  perspective('readonly route = String(Math.random());'),
  /must be a literal such as '\/orders'/,
);
mistake(
  'the columns of a perspective with a route are not written out',
  'SVC1028',
  perspective("readonly route = '/pings'; readonly columns = Object.fromEntries([]);"),
  /as an object literal/,
);
mistake(
  'a perspective with a key of its own does not say what a late event does',
  'SVC1040',
  perspective("key() { return 'all'; }"),
  /add readonly late = 'apply' or 'rebuild'/,
);

test('SVC1029: without strictNullChecks nobody knows what may be null', async () => {
  const options = { strict: false, exactOptionalPropertyTypes: false };
  const [line, ...others] = await diagnose({ 'a.ts': good }, options);
  assert.match(line ?? '', /^tsconfig\.json\(1,1\): error SVC1029: .*set "strict": true/);
  assert.equal(others, []);
  assert.equal(await diagnose({ 'a.ts': good }, { ...options, strictNullChecks: true }), []);
});

test('SVC1033: decorators from before the standard are refused before the compiler stumbles over them', async () => {
  const [line, ...others] = await diagnose({ 'a.ts': good }, { experimentalDecorators: true });
  assert.match(line ?? '', /^tsconfig\.json\(1,1\): error SVC1033: experimentalDecorators is on/);
  assert.equal(others, []);
});

test('marks are known by what they are, not by what they are called', async () => {
  const impostor = `
    const CommandEndpoint = <A, B>(_options: unknown) => (_type: unknown, _context: unknown): void => {};
    @CommandEndpoint<X, void>({ restRoute: 'no slash' })
    export class X {}`;
  const renamed = good
    .replace('CommandEndpoint,', 'CommandEndpoint as Mark,')
    .replace('@CommandEndpoint', '@Mark')
    .replace("'/ping'", "'ping'");
  const lines = await diagnose({ 'a.ts': renamed, 'b.ts': impostor });
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', /^a\.ts.*SVC1005/);
});

test.run();
