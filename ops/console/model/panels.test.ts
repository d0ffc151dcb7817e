import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { firstPanel, groupsOf, isPanel, panelsAnd } from './panels.js';

const test = suite('panels');

test('the panels of a host are in four groups, each panel in one', () => {
  const groups = groupsOf(undefined);
  assert.equal(
    groups.map(({ title }) => title),
    ['Traffic', 'Data', 'Work', 'Host'],
  );
  const names = groups.flatMap(({ panels }) => panels.map(({ name }) => name));
  assert.is(new Set(names).size, names.length);
  assert.not(names.includes('overview'));
  assert.is(firstPanel(groups), 'requests');
});

test('a group without a panel that is offered is left out, and several hosts come first', () => {
  const groups = groupsOf(['overview', 'system', 'health']);
  assert.equal(
    groups.map(({ title }) => title),
    ['Data', 'Host'],
  );
  assert.is(firstPanel(groups), 'overview');
});

test('approvals are a panel of a host that has them alone, beside all others', () => {
  const names = (offered?: readonly string[]) =>
    groupsOf(offered).flatMap(({ panels }) => panels.map(({ name }) => name));
  assert.not(names().includes('approvals'));
  assert.equal(
    names(panelsAnd('approvals')).filter((name) => name !== 'approvals'),
    names(),
  );
  assert.ok(names(panelsAnd('approvals')).includes('approvals'));
});

test('a name is a panel whether or not the host offers it', () => {
  assert.equal(['requests', 'overview', 'nonsense'].map(isPanel), [true, true, false]);
});
