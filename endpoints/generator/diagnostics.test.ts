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
    /^tsconfig\.json\(1,1\): error SVC1000: no class has @CommandEndpoint/,
  );
});

test('a service that only reads events needs no command', async () => {
  const source = `import { Event, type Perspective } from 'svc-runtime';
export class Paid extends Event { amount!: string }
export class Receipts implements Perspective<{ amount: string }, Paid> {
  readonly name = 'receipts';
  readonly events = [Paid];
  initial() { return { amount: '0' }; }
  apply(row: { amount: string }) { return row; }
}
`;
  assert.equal(await diagnose({ 'a.ts': source }), []);
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
  const routes = ['/graphql', '/health/live', '/docs', '/console/api/orders', '/healthcare'];
  const sources = routes.map((route, n) => [`${n}.ts`, command(`Ping${n}`, `{ restRoute: '${route}' }`)]);
  const lines = await diagnose(Object.fromEntries(sources) as Record<string, string>);
  assert.equal(
    lines.map((line) => /SVC1005: the host itself serves '(.+)'/.exec(line)?.[1]),
    routes.slice(0, 4),
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
  'a command that is a default export',
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

test('SVC1021: a syntax error is reported on one line', async () => {
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
  'a perspective with an unknown route',
  'SVC1027',
  perspective('readonly route = String(Math.random());'),
  /must be a literal such as '\/orders'/,
);
mistake(
  'a perspective with a route whose columns are not written out',
  'SVC1028',
  perspective("readonly route = '/pings'; readonly columns = Object.fromEntries([]);"),
  /as an object literal/,
);
mistake(
  'a column whose type is not written out',
  'SVC1028',
  perspective(
    "readonly route = '/pings'; readonly columns = { count: { type: String(1) as 'text' | 'uuid', of: () => 1 } };",
  ),
  /write the type of the column 'count' as a literal such as 'text'/,
);
mistake(
  'a route that gives no name',
  'SVC1044',
  perspective("readonly route = '/1/pings';"),
  /the route '\/1\/pings' gives no name to its GraphQL field and client method; start it with a letter/,
);
mistake(
  'a route that gives a reserved name',
  'SVC1044',
  perspective("readonly route = '/services';"),
  /gives the name 'service', which is reserved/,
);
mistake(
  'a route that gives the name of a client method',
  'SVC1044',
  perspective("readonly route = '/ping';"),
  /gives the name 'ping', which is also that of the client method of the command at a\.ts/,
);
mistake(
  'two routes that give one name',
  'SVC1044',
  perspective("readonly route = '/a/pings';") +
    perspective("readonly route = '/a-ping';")
      .replace(good, '')
      .replaceAll('Pings', 'Others')
      .replace(/import .*/, ''),
  /gives the name 'aPing', which is also that of the perspective at a\.ts/,
);
mistake(
  'a row that has no schema',
  'SVC1015',
  perspective("readonly route = '/pings';").replace(
    'Perspective<{ count: Int }>',
    'Perspective<{ count: () => void }>',
  ),
  /'PingsRow\.count' is a function, which cannot be sent/,
);
mistake(
  'a perspective with its own key that does not declare its late events',
  'SVC1040',
  perspective("key() { return 'all'; }"),
  /add readonly late = 'apply' or 'rebuild'/,
);

const guarded = (permission: string, before = '') =>
  command(
    'Ping',
    `{ restRoute: '/x', permission: ${permission} }`,
    '',
    `import { Permission } from 'svc-runtime'; ${before}`,
  );

for (const [name, permission, before] of [
  ['a resource:action text instead of a Permission', "'orders:write' as never", ''],
  ['the result of a function', 'write()', "const write = () => Permission.write('orders');"],
  ['a variable that may change', 'write', "let write = Permission.write('orders');"],
  [
    'a resource that is only known at run time',
    'Permission.write(process.argv[0])',
    'declare const process: { argv: string[] };',
  ],
  [
    'a Permission of another library',
    "Other.of('a', 'b')",
    'class Other { static of(..._: string[]): never { throw _; } }',
  ],
  ['a method that creates no permission', 'Permission.toString()', ''],
] as const)
  mistake(
    `a permission that is ${name}`,
    'SVC1041',
    guarded(permission, before),
    /write the permission as 'public'/,
  );

for (const permission of [
  "Permission.of('orders', '')",
  "Permission.parse('orders')",
  "Permission.of('or*', 'write')",
  "Permission.read('a b')",
])
  mistake(
    `the malformed ${permission}`,
    'SVC1042',
    guarded(permission),
    /must have the form resource:action/,
  );

mistake(
  'a perspective that computes its permission',
  'SVC1041',
  perspective("readonly route = '/pings'; get permission() { return 'public' as const; }"),
  /as a field: readonly permission/,
);
mistake(
  'a perspective with a malformed permission',
  'SVC1042',
  perspective("readonly route = '/pings'; readonly permission = Permission.of('pings', 'a:b');").replace(
    'import type { Perspective }',
    'import { Permission, type Perspective }',
  ),
  /'pings:a:b' is not a permission/,
);

test('SVC1029: without strictNullChecks nullability is unknown', async () => {
  const options = { strict: false, exactOptionalPropertyTypes: false };
  const [line, ...others] = await diagnose({ 'a.ts': good }, options);
  assert.match(line ?? '', /^tsconfig\.json\(1,1\): error SVC1029: .*set "strict": true/);
  assert.equal(others, []);
  assert.equal(await diagnose({ 'a.ts': good }, { ...options, strictNullChecks: true }), []);
});

test('SVC1033: experimentalDecorators is reported before the compiler fails over it', async () => {
  const [line, ...others] = await diagnose({ 'a.ts': good }, { experimentalDecorators: true });
  assert.match(line ?? '', /^tsconfig\.json\(1,1\): error SVC1033: experimentalDecorators is on/);
  assert.equal(others, []);
});

test('decorators are recognized by declaration, not by name', async () => {
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
