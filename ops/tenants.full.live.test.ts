import { suite } from '../contracts/testing/suite.js';
import { tenantsStayApart } from './testing/tenants-stay-apart.js';

const test = suite('tenants, many runs');

test('tenants stay apart, whatever the order of their steps', () => tenantsStayApart(150));
