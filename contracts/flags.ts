/** The feature flags as a receptor or a hook sees them: for its caller, from memory. */
export interface Flags {
  /** Whether the flag is on for the caller; a flag that nobody has turned on is off. */
  isOn(name: string): boolean;
}

/**
 * For whom a flag is on. A rule for the user comes before one for the tenant, and both before the setting for everyone
 * else.
 */
export interface FlagRules {
  /** For everyone whom no rule names; ignored if there is a percentage. */
  readonly on: boolean;
  /** The share of the users for whom it is on, from 0 to 100. */
  readonly percent?: number | undefined;
  readonly tenants: Readonly<Record<string, boolean>>;
  readonly users: Readonly<Record<string, boolean>>;
}

/** The part of a caller's scope that flags depend on. */
export interface FlagScope {
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
}

/** Answers for every caller. */
export interface FlagSource {
  isOn(name: string, scope: FlagScope): boolean;
}

export const flagOff: FlagRules = { on: false, tenants: {}, users: {} };

const namePattern = /^[a-z\d][\w.:/-]{0,99}$/i;

/** Up to 100 letters, digits and `. _ : / -`, the first one a letter or a digit. */
export const isFlagName = (text: string): boolean => namePattern.test(text);

/** Whether a flag with these rules is on for a caller. */
export function isOnFor(name: string, rules: FlagRules, { userId, tenantId }: FlagScope): boolean {
  const { users, tenants, percent, on } = rules;
  if (userId !== undefined && Object.hasOwn(users, userId)) return users[userId] === true;
  if (tenantId !== undefined && Object.hasOwn(tenants, tenantId)) return tenants[tenantId] === true;
  if (percent === undefined) return on;
  const id = userId ?? tenantId;
  return percent >= 100 || (id !== undefined && percentileOf(name, id) < percent);
}

/**
 * From 0 to 100, evenly spread and always the same for a flag and an id: when the percentage grows, nobody loses the
 * flag. The hash includes the name, because otherwise every flag would reach the same users first.
 */
function percentileOf(name: string, id: string): number {
  let hash = fnv1a(id, fnv1a('\0', fnv1a(name, 0x811c9dc5)));
  // FNV alone spreads short texts unevenly over the high bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * 100;
}

function fnv1a(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
