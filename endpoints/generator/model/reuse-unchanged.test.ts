import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exampleModel } from '../testing/example-model.js';
import { reuseUnchanged } from './reuse-unchanged.js';

const test = suite('the steady model');

const before = exampleModel();

test('what is equal to before is the same object as before', () => {
  const next = reuseUnchanged(exampleModel(), before);
  assert.is(next, before);
});

test('what is gone or added makes another model', () => {
  const [first, ...others] = before.types;
  assert.ok(first);
  const fewer = { ...before, types: new Map(others) };
  assert.equal([...reuseUnchanged(fewer, before).types.keys()], [...fewer.types.keys()]);
  assert.equal([...reuseUnchanged(before, fewer).types.keys()], [...before.types.keys()]);
  const next = reuseUnchanged(fewer, before);
  for (const [name, type] of next.types) assert.is(type, before.types.get(name));
});

test('what has changed is new', () => {
  const [first, ...others] = exampleModel().commands;
  assert.ok(first);
  const changed = { ...first, restRoute: '/elsewhere' };
  const next = reuseUnchanged({ ...before, commands: [changed, ...others] }, before);
  assert.is(next.commands[0], changed);
  assert.is(next.commands[1], before.commands[1]);
});

test.run();
