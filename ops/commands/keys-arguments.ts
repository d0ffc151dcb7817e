import { isPermissionText } from '../../contracts/permission.js';
import { serviceWide } from '../../contracts/perspective-scope.js';
import type { ApiKeyGrant } from '../../runtime/access/api-key-store.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

interface Common {
  readonly json: boolean;
  readonly reason?: string | undefined;
}

export type KeysArguments = Common &
  (
    | { readonly action: 'list' }
    | { readonly action: 'revoke'; readonly id: string }
    | ({ readonly action: 'create' } & ApiKeyGrant)
  );

/** An argument may be a key that was pasted by mistake: no message repeats one. */
export function parseKeys(args: readonly string[]): KeysArguments {
  const { values, positionals } = argumentsOf(args, options, usage);
  const [action, id, ...rest] = positionals;
  const takesId = action === 'revoke';
  if (rest.length > 0 || takesId !== (id !== undefined)) throw usage(actions);
  const { json = false, reason, ...grant } = values;
  const common = { json, reason: reasonIn(reason, usage) };
  if (action === 'create') return { action, ...common, ...grantOf(grant) };
  if (Object.keys(grant).length > 0) throw usage(`${createOptions} are options of create`);
  if (action === 'list' && reason !== undefined) throw usage('--reason is an option of create and revoke');
  if (action === 'list') return { action, ...common };
  if (action === 'revoke') return { action, ...common, id: idIn(id ?? '') };
  throw usage(actions);
}

const options = {
  name: { type: 'string' },
  permissions: { type: 'string' },
  tenant: { type: 'string' },
  user: { type: 'string' },
  reason: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const actions = 'Give one action: svc keys create, list, or revoke with one id';
const createOptions = '--name, --permissions, --tenant and --user';

const usage = usageOf('keys');

type CreateOptions = Partial<Record<'name' | 'permissions' | 'tenant' | 'user', string>>;

function grantOf({ name, permissions = '', tenant, user }: CreateOptions): ApiKeyGrant {
  const list = [...new Set(permissions.split(',').map((one) => one.trim()))];
  if (name === undefined) throw usage('--name is missing');
  if (!list.every(isPermissionText))
    throw usage('--permissions must be a list such as orders:read,orders:write');
  for (const [option, text] of Object.entries({ name, tenant, user }))
    if (text !== undefined && !/^\P{Cc}{1,256}$/u.test(text))
      throw usage(`--${option} must have 1 to 256 characters, and no control characters`);
  if (tenant === serviceWide)
    throw usage(`--tenant cannot be ${serviceWide}; leave it out for a key of no tenant`);
  return { name, permissions: list, tenantId: tenant, userId: user };
}

function idIn(text: string): string {
  const id = /^(?:svc_)?([0-9a-f]{8})$/.exec(text)?.[1];
  if (id === undefined)
    throw usage('The id of a key is svc_ and eight hexadecimal digits, as svc keys list shows it');
  return id;
}
