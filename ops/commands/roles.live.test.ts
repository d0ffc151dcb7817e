import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database, Row } from '../../runtime/database/database.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { runVerbInProcess } from '../testing/in-process-cli.js';
import { roles } from './roles.js';

const test = suite('svc roles');

interface Scene {
  readonly run: (...args: string[]) => Promise<unknown>;
  /** What the last run warned of. */
  readonly warned: () => string;
  readonly database: Database;
  readonly events: () => Promise<Row[]>;
}

const withRoles = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect }) => {
    const database = connect();
    let warnings = '';
    const run = async (...args: string[]): Promise<unknown> => {
      Object.assign(process.env, { DATABASE_URL: url, SVC_ACTOR: 'boss' });
      try {
        const { status, stdout, stderr } = await runVerbInProcess(roles, [...args, '--json']);
        assert.is(status, 0);
        warnings = stderr;
        return JSON.parse(stdout);
      } finally {
        delete process.env['DATABASE_URL'];
        delete process.env['SVC_ACTOR'];
      }
    };
    const text = `SELECT event_type, data - '{id,timestamp}'::text[], host FROM svc_system_stream ORDER BY stream_position`;
    await body({ run, warned: () => warnings, database, events: () => database.rows({ text }) });
  });

const changed = { changed: true };
const unchanged = { changed: false };

test('each change is recorded with who made it, and what changes nothing is not', () =>
  withRoles(async ({ run, events }) => {
    assert.equal(await run('define', 'clerk', '--permissions', 'orders:write,orders:read'), changed);
    assert.equal(await run('define', 'clerk', '--permissions', 'orders:read,orders:write'), unchanged);
    const grant = ['grant', 'ann', '--role', 'clerk', '--permission', 'audit:read', '--tenant', 'acme'];
    assert.equal(await run(...grant), changed);
    assert.equal(await run(...grant), unchanged);
    assert.equal(await run('revoke', 'ann', '--permission', 'audit:read', '--tenant', 'acme'), changed);
    assert.equal(await run('set', 'ann', '--roles', 'driver', '--tenant', 'acme'), changed);
    assert.equal(await run('list'), {
      roles: [{ role: 'clerk', permissions: ['orders:read', 'orders:write'] }],
      users: [{ tenantId: 'acme', userId: 'ann', roles: ['driver'], permissions: [] }],
    });
    assert.equal(await run('set', 'ann', '--roles=', '--tenant', 'acme'), changed);
    assert.equal(await run('define', 'clerk', '--permissions='), changed);
    assert.equal(await run('list'), { roles: [], users: [] });
    const user = { userId: 'ann', tenantId: 'acme', changedBy: 'boss' };
    const define = { action: 'roles define', target: 'clerk', actor: 'boss' };
    assert.equal(
      (await events()).map(([type, data]) => [type, JSON.parse(data ?? '')]),
      [
        ['OperatorActed', { ...define, permissions: ['orders:read', 'orders:write'] }],
        ['PermissionChanged', { ...user, changeType: 'RolesAdded', rolesAdded: ['clerk'] }],
        ['PermissionChanged', { ...user, changeType: 'PermissionsAdded', permissionsAdded: ['audit:read'] }],
        [
          'PermissionChanged',
          { ...user, changeType: 'PermissionsRemoved', permissionsRemoved: ['audit:read'] },
        ],
        [
          'PermissionChanged',
          { ...user, changeType: 'FullReassignment', rolesAdded: ['driver'], rolesRemoved: ['clerk'] },
        ],
        ['PermissionChanged', { ...user, changeType: 'FullReassignment', rolesRemoved: ['driver'] }],
        ['OperatorActed', { ...define, permissions: [] }],
      ],
    );
  }));

test('a role that is granted before it is defined is named, with how to define it', () =>
  withRoles(async ({ run, warned }) => {
    await run('define', 'clerk', '--permissions', 'orders:read');
    assert.is(warned(), '');
    await run('grant', 'ann', '--role', 'clerk', '--permission', 'audit:read');
    assert.is(warned(), '');
    assert.equal(await run('grant', 'ann', '--role', 'clark'), changed);
    assert.is(
      warned(),
      'svc: the role clark is not defined and grants nothing yet; define it with svc roles define clark --permissions P,P…\n',
    );
    await run('revoke', 'ann', '--role', 'clark');
    assert.is(warned(), '');
  }));

test('a user without a tenant has rights of their own', () =>
  withRoles(async ({ run }) => {
    await run('grant', 'ann', '--role', 'clerk');
    await run('grant', 'ann', '--role', 'driver', '--tenant', 'acme');
    assert.equal(await run('list'), {
      roles: [],
      users: [
        { userId: 'ann', roles: ['clerk'], permissions: [] },
        { tenantId: 'acme', userId: 'ann', roles: ['driver'], permissions: [] },
      ],
    });
  }));

test('the role of the runtime reads roles and cannot change them', () =>
  withRoles(async ({ database }) => {
    for (const table of ['svc_roles', 'svc_role_assignments', 'svc_versions']) {
      await database.rows({ text: `SELECT * FROM ${table}` });
      for (const text of [
        `INSERT INTO ${table} DEFAULT VALUES`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
      ]) {
        const refused = await database.rows({ text }).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
        assert.is(refused, '42501', text);
      }
    }
  }));
