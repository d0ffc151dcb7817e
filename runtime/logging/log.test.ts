import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';

const test = suite('log');

test('a line is JSON with its level as a word and its time in ISO 8601', () => {
  const [line] = linesOf("log.info({ url: 'http://localhost' }, 'listening')");
  const { time, ...rest } = line ?? {};
  assert.equal(rest, { level: 'info', url: 'http://localhost', msg: 'listening' });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('secrets do not reach the log', () => {
  const secrets = "{ headers: { authorization: 'Bearer x', cookie: 'y' }, user: { password: 'z' } }";
  const [line] = linesOf(`log.info(${secrets}, 'request')`);
  assert.equal(line?.['headers'], { authorization: '[redacted]', cookie: '[redacted]' });
  assert.equal(line?.['user'], { password: '[redacted]' });
});

test('a repeated warning is written twenty times; other lines and information are always written', () => {
  const lines = linesOf(
    "for (let n = 0; n < 100; n++) { log.warn({ err: new Error('away'), n }, 'no store'); log.info('served'); } log.warn('other')",
  );
  const count = (text: string) => lines.filter(({ msg }) => msg === text).length;
  assert.equal([count('no store'), count('served'), count('other')], [20, 100, 1]);
});

test('lines whose errors differ are not the same line, also when an error is only described', () => {
  const lines = linesOf(
    "for (let n = 0; n < 100; n++) log.error({ err: { name: 'Error', message: `order ${n}`, stack: '' } }, 'failed')",
  );
  assert.is(lines.length, 100);
});

test('SVC_LOG sets the level', () => {
  const speak = "log.debug('a'); log.info('b'); log.error('c')";
  const messagesAt = (level: string) => linesOf(speak, { SVC_LOG: level }).map((line) => line['msg']);
  assert.equal(messagesAt('debug'), ['a', 'b', 'c']);
  assert.equal(messagesAt('error'), ['c']);
  assert.equal(
    linesOf(speak).map((line) => line['msg']),
    ['b', 'c'],
  );
});

test('the line with the address is written at every level but silent', () => {
  const at = (level: string) => linesOf("logListening({ url: 'http://localhost' })", { SVC_LOG: level });
  for (const level of ['debug', 'warn', 'fatal']) {
    const [{ time: _, ...line } = {}] = at(level);
    assert.equal(line, { level: 'info', url: 'http://localhost', msg: 'listening' }, level);
  }
  assert.equal(at('silent'), []);
});

function linesOf(statement: string, env: NodeJS.ProcessEnv = {}): Record<string, unknown>[] {
  const module = new URL('log.js', import.meta.url).href;
  const script = `import { log, logListening } from ${JSON.stringify(module)}; ${statement};`;
  const { SVC_LOG: _, ...inherited } = process.env;
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...inherited, ...env },
    encoding: 'utf8',
  });
  return child.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
