import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { parseFlags } from './flags-arguments.js';

const test = suite('arguments of svc flags');

const change = (kind: string, more: object = {}) => ({
  action: 'change',
  name: 'gift-wrap',
  change: { kind, tenants: undefined, users: undefined, percent: undefined, ...more },
  reason: undefined,
  isNew: false,
  json: false,
});

test('a change names whom it is for, and why', () => {
  assert.equal(parseFlags(['list', '--json']), { action: 'list', json: true });
  assert.equal(parseFlags(['on', 'gift-wrap']), change('on'));
  assert.equal(
    parseFlags(['off', 'gift-wrap', '--tenant', 'acme', '--tenant', 'bank', '--user', 'ann']),
    change('off', { tenants: ['acme', 'bank'], users: ['ann'] }),
  );
  assert.equal(parseFlags(['set', 'gift-wrap', '--percent', '12.5', '--reason', ' a pilot ', '--new']), {
    ...change('set', { percent: 12.5 }),
    reason: 'a pilot',
    isNew: true,
  });
  assert.equal(parseFlags(['on', 'gift-wrap', '--percent', '100']), change('on', { percent: 100 }));
});

for (const args of [
  [],
  ['list', 'gift-wrap'],
  ['list', '--reason', 'x'],
  ['toString', 'gift-wrap'],
  ['on'],
  ['on', 'a', 'b'],
  ['on', 'gift wrap'],
  ['on', 'gift-wrap', '--tenant', ''],
  ['on', 'gift-wrap', '--user', ' ann'],
  ['off', 'gift-wrap', '--percent', '10'],
  ['set', 'gift-wrap'],
  ['set', 'gift-wrap', '--percent', '101'],
  ['set', 'gift-wrap', '--percent', '1e1'],
  ['set', 'gift-wrap', '--percent', '1.234'],
  ['set', 'gift-wrap', '--percent=-1'],
  ['set', 'gift-wrap', '--percent', ''],
  ['on', 'gift-wrap', '--reason', 'two\nlines'],
  ['on', 'gift-wrap', '--nonsense'],
]) {
  test(`${JSON.stringify(args)} is refused with a hint`, () => {
    assert.throws(
      () => parseFlags(args),
      (error: unknown) =>
        error instanceof Problem && error.code === 'usage' && /see svc flags --help/.test(error.detail ?? ''),
    );
  });
}
