import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isHostPage } from './answered-request.js';

const test = suite('pages of a host');

test('a route of the service is no page of the host because its path begins like one', () => {
  for (const url of ['/health', '/health/ready', '/metrics?name=x', '/console', '/inspect', '/machines/a'])
    assert.ok(isHostPage(url), url);
  for (const url of ['/health-records', '/metrics.csv', '/consoles', '/machines-for-sale/7', '/', '/orders'])
    assert.not(isHostPage(url), url);
});
