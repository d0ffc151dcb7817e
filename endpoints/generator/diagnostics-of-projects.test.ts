import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { command, diagnose, good } from './testing/diagnose.js';

const test = suite('generator diagnostics of projects');

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

test('SVC1014: an event with the name of a system event would be taken for one', async () => {
  const event = `import { Event } from 'svc-runtime'; export class AccessGranted extends Event {}`;
  const lines = await diagnose({ 'a.ts': good, 'b.ts': event });
  assert.match(
    lines.join(),
    /SVC1014: the message name AccessGranted is that of a system event of the runtime; choose another/,
  );
});

test('SVC1016: a class with a name that generated code uses itself would hide it there', async () => {
  for (const name of ['Record', 'Set', 'Registry', 'Dispatcher']) {
    const event = `import { Event } from 'svc-runtime'; export class ${name} extends Event {}`;
    const says = `b.ts(1,38): error SVC1016: generated code uses the name '${name}' itself; rename yours`;
    assert.equal(await diagnose({ 'a.ts': good, 'b.ts': event }), [says]);
  }
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
