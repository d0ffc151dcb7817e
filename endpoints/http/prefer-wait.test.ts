import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { waitOf } from './prefer-wait.js';

const test = suite('prefer wait');

for (const [header, seconds] of [
  [undefined, undefined],
  ['respond-async', undefined],
  ['wait=5', 5],
  ['respond-async, wait=10', 10],
  [' WAIT = "0" ', 0],
  ['handling=lenient; wait=60', 60],
] as const) {
  test(`'${header ?? 'no header'}' means ${seconds ?? 'no wait'}`, () => {
    assert.is(waitOf({ prefer: header }), seconds);
  });
}

for (const header of ['wait=61', 'wait=-1', 'wait=soon', 'wait=1.5', 'wait=', 'wait="5']) {
  test(`'${header}' is refused`, () => {
    assert.throws(() => waitOf({ prefer: header }), /whole number of seconds from 0 to 60/);
  });
}
