import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { destinationsFor } from './destinations.js';
import { groupsOf } from './panels.js';

const test = suite('destinations');

const panels = groupsOf(undefined).flatMap((group) => group.panels);
const known = { panels, perspectives: ['order-summary'] };
const titles = (text: string): readonly string[] => destinationsFor(text, known).map(({ title }) => title);

test('a part of a name leads to panels and perspectives', () => {
  assert.equal(titles('str').slice(0, 2), ['Streams', 'System stream']);
  assert.is(titles('SUMMARY')[0], 'Rows of order-summary');
});

test('an id leads to what may have it', () => {
  const id = '018f0000-0000-7000-8000-000000000001';
  assert.equal(titles(` ${id} `), [`Request ${id}`, `Stream ${id}`, `Records with correlation id ${id}`]);
});

test('other words are searched for, where there is a panel for it', () => {
  assert.equal(titles('xyz'), ["Requests with 'xyz'", "Records of type 'xyz'"]);
  const monitor = { panels: panels.filter(({ name }) => name === 'system'), perspectives: [] };
  assert.equal(
    destinationsFor('xyz', monitor).map(({ panel }) => panel),
    ['system'],
  );
});

test('without a text all panels are listed', () => {
  assert.is(titles('').length, panels.length + 1);
});
