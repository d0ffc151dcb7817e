import { isPermissionText } from '../../contracts/permission.js';
import { serviceWide } from '../../contracts/perspective-scope.js';
import type { RightsChange } from '../../runtime/access/rights-change.js';
import { argumentsOf, usageOf } from './arguments.js';

/** A checked call of `svc roles`. */
export type RolesArguments = { readonly json: boolean } & (
  | { readonly action: 'list' }
  | { readonly action: 'define'; readonly role: string; readonly permissions: readonly string[] }
  | {
      readonly action: 'change';
      readonly userId: string;
      readonly tenantId: string;
      readonly change: RightsChange;
    }
);

const options = {
  role: { type: 'string', multiple: true },
  roles: { type: 'string' },
  permission: { type: 'string', multiple: true },
  permissions: { type: 'string' },
  tenant: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Option = keyof typeof options;

const optionsOf: Readonly<Record<string, readonly Option[]>> = {
  list: [],
  define: ['permissions'],
  grant: ['role', 'permission', 'tenant'],
  revoke: ['role', 'permission', 'tenant'],
  set: ['roles', 'permissions', 'tenant'],
};

export function parseRoles(args: readonly string[]): RolesArguments {
  const { values, positionals } = argumentsOf(args, options, usage);
  const [action = '', subject, ...rest] = positionals;
  const allowed = Object.hasOwn(optionsOf, action) ? optionsOf[action] : undefined;
  if (allowed === undefined || rest.length > 0 || (action === 'list') !== (subject === undefined))
    throw usage('Give one action: svc roles list, define ROLE, or grant, revoke or set with one USER');
  const foreign = Object.keys(values).find((name) => name !== 'json' && !allowed.includes(name as Option));
  if (foreign !== undefined) throw usage(`--${foreign} is not an option of ${action}`);
  const json = values.json === true;
  if (subject === undefined) return { action: 'list', json };
  const permissions = permissionsIn([values.permissions ?? '', ...(values.permission ?? [])]);
  if (action === 'define') {
    if (values.permissions === undefined) throw usage('Its permissions are missing: --permissions P,P…');
    return { action, role: nameIn(subject, 'role'), permissions, json };
  }
  const kind = kinds.find((name) => name === action) ?? 'set';
  const roles = namesIn([values.roles ?? '', ...(values.role ?? [])]);
  if (
    values.roles === undefined &&
    values.permissions === undefined &&
    roles.length + permissions.length === 0
  )
    throw usage(`Nothing to ${action}: name roles or permissions`);
  const tenantId = values.tenant === undefined ? '' : nameIn(values.tenant, 'tenant');
  return {
    action: 'change',
    userId: nameIn(subject, 'user'),
    tenantId,
    change: { kind, roles, permissions },
    json,
  };
}

const kinds = ['grant', 'revoke', 'set'] as const;

const listIn = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.flatMap((text) => text.split(',')).map((text) => text.trim()))].filter(
    (text) => text !== '',
  );

const namesIn = (texts: readonly string[]): readonly string[] =>
  listIn(texts).map((text) => nameIn(text, 'role'));

function permissionsIn(texts: readonly string[]): readonly string[] {
  const list = listIn(texts);
  for (const text of list) {
    if (!isPermissionText(text)) throw usage(`'${String(text)}' is not of the form resource:action`);
  }
  return list;
}

/** What no identity can hold would never be found. */
function nameIn(text: string, kind: string): string {
  const isName = text.trim() === text && text !== '' && text.length <= 256 && !/\p{Cc}/u.test(text);
  const isTaken = kind === 'tenant' && text === serviceWide;
  if (isName && !isTaken && !(kind === 'role' && text.includes(','))) return text;
  throw usage(`'${text}' cannot be the name of a ${kind}`);
}

const usage = usageOf('roles');
