import { suite } from '../contracts/testing/suite.js';
import { tenantsStayApart } from './testing/tenants-stay-apart.js';

const test = suite('tenants');

test('whatever tenants do at two hosts at the same time, through rebuilds, rewinds and messages, each one reads and changes its own orders only', () =>
  tenantsStayApart(6));
