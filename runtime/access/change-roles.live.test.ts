import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import { verifyChain } from '../audit/verify-chain.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { changeAssignment } from './change-roles.js';
import type { AccessEditor } from './recorded-change.js';
import { readRoles } from './read-stored-roles.js';

const test = suite('changes of roles');

const policy = new AuditPolicy(new SystemEventOptions());
const editor: AccessEditor = {
  changedBy: 'boss',
  host: 'desk',
  recordOf: (message) => systemRecord(message, {}, policy),
};
const ann = { tenantId: 'acme', userId: 'ann' };
const grant = (role: string) => ({ kind: 'grant', roles: [role], permissions: [] }) as const;

test('concurrent changes wait for each other, and each leaves its event in an unbroken chain', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owners = Array.from({ length: 4 }, () => connect({ owner: true }));
    const names = Array.from({ length: 12 }, (_, n) => `role-${n}`);
    await Promise.all(
      names.map((name, n) => changeAssignment(owners[n % 4] ?? connect(), editor, ann, grant(name))),
    );
    const database = connect();
    const stored = await readRoles(database);
    assert.equal([...(stored?.assignments[0]?.roles ?? [])].toSorted(), names.toSorted());
    const { records, ok } = await verifyChain(database);
    assert.equal([records, ok], [12, true]);
    assert.is(await readRoles(database, stored?.version), undefined, 'a known version is not read again');
  }));

test('a right without a tenant is recorded as one of the whole service, which no tenant is named like', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await changeAssignment(owner, editor, { tenantId: '', userId: 'zed' }, grant('writer'));
    const [row] = await owner.rows({
      text: "SELECT data ->> 'tenantId' FROM svc_system_stream WHERE event_type = 'PermissionChanged'",
    });
    assert.equal(row, ['*']);
    assert.is((await readRoles(owner))?.assignments[0]?.tenantId, '');
  }));

test('a change whose event cannot be stored does not happen', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const id = newUuid();
    const sameId = (message: SystemMessage) => {
      const record = editor.recordOf(message);
      return { ...record, envelope: { ...record.envelope, messageId: id } };
    };
    const repeating = { ...editor, recordOf: sameId };
    await changeAssignment(owner, repeating, ann, grant('clerk'));
    const failed = await changeAssignment(owner, repeating, ann, grant('boss')).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    assert.is(failed, '23505');
    assert.equal((await readRoles(owner))?.assignments, [{ ...ann, roles: ['clerk'], permissions: [] }]);
  }));
