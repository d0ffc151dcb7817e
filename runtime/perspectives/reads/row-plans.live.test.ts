import { suite } from '../../../contracts/testing/suite.js';
import { planRules, withFilledTable } from '../testing/row-plans.js';

const test = suite('plans of reads');

for (const [rule, holds] of Object.entries(planRules)) test(rule, () => withFilledTable(15_000, holds));
