import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { start } from '../commands/start.js';
import { variables } from '../docs/environment-page.js';
import { misspelledVariables } from './misspelled-variables.js';

const test = suite('misspelled variables');

const found = (...names: readonly string[]) =>
  misspelledVariables(Object.fromEntries(names.map((name) => [name, '1'])), start.help);

test('a variable that is nearly one of ours is reported with that one', () => {
  assert.equal(found('SVC_PROT', 'SVC_AUTHS'), [
    'SVC_PROT has no effect; did you mean SVC_PORT?',
    'SVC_AUTHS has no effect; did you mean SVC_AUTH?',
  ]);
});

test('variables of ours, and those of others, are not reported', () => {
  assert.equal(found(...Object.keys(variables)), []);
  assert.equal(found('PROT', 'SVC_PRINTER_URL', 'SVC_SERVICE_HOST', 'SVC_PORT_3000_TCP'), []);
});
