import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { locationOf } from './call-frame-location.js';

const test = suite('location of a call frame');

const frame = (functionName: string, scriptId: string, lineNumber: number, url = '') => ({
  functionName,
  url,
  location: { scriptId, lineNumber },
});
const files = new Map([
  ['7', 'file:///bakery/dist/knead-dough.js'],
  ['8', ''],
]);

test('a blocked event loop is located by function, file and line', () => {
  assert.is(locationOf([frame('knead', '7', 156)], files), 'knead (dist/knead-dough.js:157)');
  assert.is(locationOf([frame('', '7', 0)], files), 'a function (dist/knead-dough.js:1)');
});

test('a frame that names its file itself needs no list of files', () => {
  const found = locationOf([frame('rest', '9', 2, 'file:///bakery/dist/rest.js')], new Map());
  assert.is(found, 'rest (dist/rest.js:3)');
});

test('code without a file is located by its caller, or not at all', () => {
  assert.is(
    locationOf([frame('made', '8', 4), frame('bake', '7', 9)], files),
    'bake (dist/knead-dough.js:10)',
  );
  assert.is(locationOf([frame('made', '8', 4)], files), undefined);
});
