import * as assert from 'uvu/assert';
import { identityFrom } from '../../contracts/identity.js';
import { Permission } from '../../contracts/permission.js';
import { suite } from '../../contracts/testing/suite.js';
import { callersRows } from '../queries/row-access.js';
import type { ApprovedCommand } from './approved-command.js';
import { ApprovalsPerspective } from './approvals-perspective.js';

const test = suite('rows of approvals');

const approvedBy = (permission: string) =>
  ({ rule: { by: Permission.parse(permission) } }) as ApprovedCommand;
const commands = new Map([
  ['CancelOrder', approvedBy('orders:approve')],
  ['RefundOrder', approvedBy('money:approve')],
]);
const { [callersRows]: rows } = new ApprovalsPerspective('authenticated', commands);
const visibleTo = (...permissions: string[]) => rows.of(identityFrom({ source: 'test', permissions }));

test('a caller sees the approvals of those commands that they may decide about, and no others', () => {
  assert.is(rows.column, 'command');
  assert.equal(visibleTo('orders:approve'), ['CancelOrder']);
  assert.equal(visibleTo('*:approve'), ['CancelOrder', 'RefundOrder']);
  assert.equal(visibleTo('orders:write', 'orders:read'), []);
  assert.equal(rows.of(undefined), []);
});
