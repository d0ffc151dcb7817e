import { changeAssignment, defineRole } from '../../runtime/access/change-roles.js';
import { readRoles, type RoleAssignment, type StoredRoles } from '../../runtime/access/read-stored-roles.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { withConnectionOf } from '../cli/database.js';
import { cliEditor } from '../cli/access-editor.js';
import { type Config, readConfig } from '../config/config.js';
import { printResult, printToStderr } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { parseRoles, type RolesArguments } from './roles-arguments.js';

export const roles: Verb = {
  help: `
svc roles list
svc roles define ROLE --permissions P,P…
svc roles grant USER [--role R]… [--permission P]… [--tenant T]
svc roles revoke USER [--role R]… [--permission P]… [--tenant T]
svc roles set USER [--roles R,R…] [--permissions P,P…] [--tenant T]

A role is a name for permissions of the form resource:action. A user has the permissions of their credentials, those
granted here, and those of all their roles, from the credentials or from here. Running hosts use a change within seconds.
USER and --tenant are the user and the tenant of the authenticated caller. The same user without a tenant is a different user.
A role that is granted before it is defined grants nothing until then, and svc says so.
define replaces the permissions of a role; an empty list removes it. set replaces everything that the user was granted.
The system stream records every change with SVC_ACTOR or the user of the operating system: PermissionChanged, or
OperatorActed for define. A change that changes nothing is not recorded.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc). Changes need the owner of the store:
DATABASE_OWNER_URL, where DATABASE_URL logs in as another role.

  --json  prints JSON

  svc roles define clerk --permissions orders:read,orders:write
  svc roles grant ann --role clerk --tenant acme`,
  run: async (args) => {
    const given = parseRoles(args);
    await withConnectionOf(readConfig(), async (connection, config) => {
      const result = await run(connection, config, given);
      printResult(result.data, result.text, given.json);
      await warnOfUndefined(connection, given);
    });
  },
};

interface Result {
  readonly data: unknown;
  readonly text: string;
}

async function run(connection: StoreConnection, config: Config, given: RolesArguments): Promise<Result> {
  if (given.action === 'list') return listed(await readRoles(connection.database));
  const changed = await connection.asOwner((owner) => {
    const editor = cliEditor(config);
    return given.action === 'define'
      ? defineRole(owner, editor, given)
      : changeAssignment(owner, editor, given, given.change);
  });
  const subject = given.action === 'define' ? `The role ${given.role}` : `What ${given.userId} may do`;
  return { data: { changed }, text: `${subject} ${changed ? 'has changed' : 'is as it was'}.` };
}

/** A role may be granted before it is defined, but a misspelled one would grant nothing without a word. */
async function warnOfUndefined({ database }: StoreConnection, given: RolesArguments): Promise<void> {
  if (given.action !== 'change' || given.change.kind === 'revoke') return;
  const defined = new Set((await readRoles(database))?.definitions.map(({ role }) => role));
  for (const role of given.change.roles.filter((name) => !defined.has(name)))
    printToStderr(
      `svc: the role ${role} is not defined and grants nothing yet; define it with svc roles define ${role} --permissions P,P…\n`,
    );
}

function listed(stored: StoredRoles | undefined): Result {
  const { definitions = [], assignments = [] } = stored ?? {};
  const users = assignments.map(({ tenantId, ...user }) => (tenantId === '' ? user : { tenantId, ...user }));
  const lines = [
    ...definitions.map(({ role, permissions }) => `role ${role}: ${permissions.join(', ')}`),
    ...assignments.map(lineOf),
  ];
  const text = lines.length === 0 ? 'There are no roles.' : lines.join('\n');
  return { data: { roles: definitions, users }, text };
}

const lineOf = ({ tenantId, userId, roles: held, permissions }: RoleAssignment): string =>
  [
    `user ${userId}${tenantId === '' ? '' : ` of ${tenantId}`}:`,
    ...(held.length === 0 ? [] : [`roles ${held.join(', ')}`]),
    ...(permissions.length === 0 ? [] : [`permissions ${permissions.join(', ')}`]),
  ].join(' ');
