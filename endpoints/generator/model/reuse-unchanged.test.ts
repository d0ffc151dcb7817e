import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { reuseUnchanged } from './reuse-unchanged.js';

const test = suite('reuse of unchanged parts');

const before = exampleModel();

test('an equal part is the previous object', () => {
  const next = reuseUnchanged(exampleModel(), before);
  assert.is(next, before);
});

test('a removed or added part makes a new model', () => {
  const [first, ...others] = before.types;
  assert.ok(first);
  const fewer = { ...before, types: new Map(others) };
  assert.equal([...reuseUnchanged(fewer, before).types.keys()], [...fewer.types.keys()]);
  assert.equal([...reuseUnchanged(before, fewer).types.keys()], [...before.types.keys()]);
  const next = reuseUnchanged(fewer, before);
  for (const [name, type] of next.types) assert.is(type, before.types.get(name));
});

test('a changed part is new', () => {
  const [first, ...others] = exampleModel().commands;
  assert.ok(first);
  const changed = { ...first, restRoute: '/elsewhere' };
  const next = reuseUnchanged({ ...before, commands: [changed, ...others] }, before);
  assert.is(next.commands[0], changed);
  assert.is(next.commands[1], before.commands[1]);
});
