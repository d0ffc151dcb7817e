import { suite } from '../../../contracts/testing/suite.js';
import { planRules, withFilledTable } from '../testing/row-plans.js';

const test = suite('plans of reads of a million rows');

test(`of a million rows ${Object.keys(planRules).join('; ')}`, () =>
  withFilledTable(1_000_020, async (table) => {
    for (const holds of Object.values(planRules)) await holds(table);
  }));
