import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { savedViewsIn, withView } from './saved-views.js';

const test = suite('saved views');

const view = (name: string, type = 'x') => ({ name, filters: { type } });

test('what a browser kept is read back; anything else is left out', () => {
  const kept = JSON.stringify([view('a'), { name: 1 }, null, { name: 'b', filters: { type: 3 } }]);
  assert.equal(savedViewsIn(kept), [view('a')]);
  for (const text of [null, '', 'nonsense', '{}', 'null']) assert.equal(savedViewsIn(text), [], String(text));
});

test('a name stands for one view, and the oldest of many is dropped', () => {
  assert.equal(withView([view('a'), view('b')], view('a', 'y')), [view('b'), view('a', 'y')]);
  const many = Array.from({ length: 20 }, (_, index) => view(String(index)));
  assert.equal(withView(many, view('new')).at(0), view('1'));
  assert.is(withView(many, view('new')).length, 20);
});
