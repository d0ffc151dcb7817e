import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { outcomeText } from './deploy-drive.js';

const test = suite('the last line of svc deploy');

const deployed = (previous: string | undefined): string =>
  outcomeText({ strategy: 'canary', revision: '1.5.0', previous }, { state: 'completed' });

test('it names the strategy, unless there was nothing to replace', () => {
  assert.is(deployed('1.4.2'), '1.5.0 serves all requests (canary).');
  assert.is(deployed(undefined), '1.5.0 serves all requests (first deployment).');
});
