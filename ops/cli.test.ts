import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { withFolder } from '../runtime/kit/temporary-folder.js';
import { version } from '../runtime/lang/version.js';
import { svc } from './testing/spawned-host.js';
import { verbs } from './verbs.js';

const test = suite('svc');

/** The only line on stderr of a command that fails. */
async function mistakeOf(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await svc(args, env);
  assert.is(code, 1);
  assert.is(stdout, '');
  assert.match(stderr, /^svc: [^\n]+\n$/);
  return stderr.slice('svc: '.length, -1);
}

for (const args of [[], ['--help']]) {
  test(`\`svc ${args.join(' ')}\` lists the verbs on stdout and exits with 0`, async () => {
    const { code, stdout, stderr } = await svc(args);
    assert.equal([code, stderr], [0, '']);
    assert.match(stdout, /svc start <app>/);
  });
}

test('`svc --version` prints the version', async () => {
  assert.equal(await svc(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
});

test('the help of every verb names --json and ends with an example', async () => {
  for (const { name, load } of verbs) {
    const { help } = await load();
    assert.match(help, '--json', name);
    assert.match(help.split('\n').at(-1) ?? '', new RegExp(`^  .*svc ${name}\\b`), name);
  }
});

test('`svc mcp` takes --json', async () => {
  assert.match(await mistakeOf(['mcp', '--json'], { SVC_DATA_DIR: 'no/store' }), /^There is no store in /);
});

test('`svc start --help` lists every setting, with an example', async () => {
  const { code, stdout, stderr } = await svc(['start', '--help']);
  assert.equal([code, stderr], [0, '']);
  assert.match(stdout, /svc start examples\/orders --port 8080/);
  const source = await readFile(new URL('../../ops/config/config.ts', import.meta.url), 'utf8');
  const settings = new Set(source.match(/(?:SVC|DATABASE|NATS|AMQP)_[A-Z_]+/g));
  assert.ok(settings.size > 10);
  for (const setting of settings) assert.ok(stdout.includes(setting), setting);
});

test('`svc start` takes --json and no other option', async () => {
  const options = ['--json', '--fast'];
  assert.equal(await Promise.all(options.map((option) => mistakeOf(['start', 'no/app', option]))), [
    'There is no application at no/app.',
    "Unknown option '--fast'; see svc start --help.",
  ]);
});

test('an unknown verb is reported, with how to list the verbs', async () => {
  assert.is(await mistakeOf(['bake']), "There is no verb 'bake'; run svc to list the verbs.");
});

test('a mistyped verb, action or option is reported with what was probably meant', async () => {
  const mistakes = await Promise.all(
    [
      ['starts', 'app'],
      ['perspectives', 'rebuilt', 'orders'],
      ['start', 'app', '--prot', '1'],
    ].map((args) => mistakeOf(args)),
  );
  assert.match(mistakes[0] ?? '', /^There is no verb 'starts'; .* Did you mean start\?$/);
  assert.match(mistakes[1] ?? '', /^Give one action: .* Did you mean rebuild\?$/);
  assert.match(mistakes[2] ?? '', /^Unknown option '--prot', did you mean --port\?; see svc start --help\.$/);
});

for (const args of [['start'], ['start', 'one', 'two']]) {
  test(`\`svc ${args.join(' ')}\` is refused: it takes exactly one application`, async () => {
    assert.is(await mistakeOf(args), 'Give one application: svc start <app>.');
  });
}

test('bad settings are reported all at once, before anything starts', async () => {
  const env = { SVC_PORT: 'none', SVC_DEADLINE_MS: '-1', SVC_LOG: 'loud', DATABASE_URL: 'mysql://x' };
  const mistake = await mistakeOf(['start', 'examples/orders'], env);
  for (const name of Object.keys(env)) assert.match(mistake, `${name} must be`);
});

test('a folder that does not exist is reported', async () => {
  assert.is(await mistakeOf(['start', 'no/such/app']), 'There is no application at no/such/app.');
});

test('a folder that is not an application is reported', async () => {
  assert.is(await mistakeOf(['start', 'examples']), 'examples has no package.json.');
});

test('a module without a service definition is reported', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'empty.mjs');
    await writeFile(file, 'export const nothing = 1;');
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    assert.match(await mistakeOf(['start', file], env), /has no service definition/);
  }));

test('a database that cannot be reached is reported without its password', async () => {
  const mistake = await mistakeOf(['start', 'examples/orders'], {
    DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/orders',
  });
  assert.match(mistake, /PostgreSQL does not answer at .*DATABASE_URL/);
  assert.not.match(mistake, /hunter2/);
});
