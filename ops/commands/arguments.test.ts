import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';

const test = suite('arguments of verbs');

const long = 'x'.repeat(1_000_000);
const hostile = ['a\nb', '\u001b[2Ja', '$(reboot)\n`reboot`', '../../etc\0', long, `${long}'\n'${long}`];

const calls = (value: string): readonly (readonly string[])[] => [
  ['deploy', value],
  ['deploy', 'canary', value, '--dry-run'],
  ['deploy', 'canary', 'a', '--revision', value],
  ['deploy', 'canary', 'a', '--config', value],
  ['deploy', 'canary', 'a', '--stages', value],
  ['deploy', 'canary', 'a', '--max-errors', value],
  ['deploy', 'canary', 'a', '--url', value],
  ['deploy', 'rollback', '--to', value],
  ['deploy', 'abort', '--reason', value],
  ['deploy', 'status', `--${value}`],
  ['flags', 'on', value],
  ['flags', 'on', 'a', '--user', value],
  ['flags', 'set', 'a', '--percent', value],
  ['flags', 'on', 'a', '--reason', value],
  ['outbox', 'republish', '--from', '1', '--reason', value],
  ['perspectives', 'cancel', 'a', '--reason', value],
  ['migrate', '--reason', value],
  ['dead-letters', 'discard', '1', '--reason', value],
  ['keys', 'revoke', 'svc_01234567', '--reason', value],
  ['check', value],
  ['check', 'post', '--url', 'http://a', '--observe', value],
];

test('whatever is typed, the refusal is one short line without control characters', async () => {
  for (const args of hostile.flatMap(calls)) {
    const { code, stdout, stderr } = await svc(args);
    const shown = `${args.join(' ').slice(0, 60)}: ${stderr.slice(0, 200)}`;
    assert.equal([code, stdout], [1, ''], shown);
    assert.match(stderr, /^svc: [^\p{Cc}]{1,700}\n$/u, shown);
  }
});

test('a long value is cut, the reason is not', async () => {
  const { stderr } = await svc(['flags', 'set', 'a', '--percent', '9'.repeat(1_000)]);
  assert.is(
    stderr,
    `svc: --percent must be a number from 0 to 100 with at most two decimals, not '${'9'.repeat(80)}…'; see svc flags --help.\n`,
  );
});

for (const percent of ['NaN', '-1', '101', 'Infinity', '1e1', '0x10', ''])
  test(`'${percent}' is no percentage`, async () => {
    for (const args of [
      ['flags', 'set', 'a', `--percent=${percent}`],
      ['deploy', 'canary', 'a', `--max-errors=${percent}`],
      ['deploy', 'canary', 'a', `--stages=${percent},100`],
    ]) {
      const { code, stderr } = await svc(args);
      assert.is(code, 1);
      assert.match(stderr, /^svc: --\S+ must be [^\n]+; see svc \w+ --help\.\n$/);
    }
  });
