import { Problem } from './problems.js';

/**
 * The right to perform an action on a resource, `resource:action`; either part may be `*`.
 *
 * @example
 * ```ts
 * readonly permission = Permission.read('orders');
 * guard(work.context, Permission.of('orders', 'refund'));
 * ```
 */
export class Permission {
  readonly value: string;

  private constructor(
    readonly resource: string,
    readonly action: string,
  ) {
    this.value = `${resource}:${action}`;
    if (!permissionPattern.test(this.value)) throw malformed(this.value);
  }

  static of(resource: string, action: string): Permission {
    return new Permission(resource, action);
  }

  static parse(text: string): Permission {
    const [resource, action, ...more] = text.split(':');
    if (resource === undefined || action === undefined || more.length > 0) throw malformed(text);
    return new Permission(resource, action);
  }

  static read(resource: string): Permission {
    return new Permission(resource, 'read');
  }

  static write(resource: string): Permission {
    return new Permission(resource, 'write');
  }

  static delete(resource: string): Permission {
    return new Permission(resource, 'delete');
  }

  static admin(resource: string): Permission {
    return new Permission(resource, 'admin');
  }

  static all(resource: string): Permission {
    return new Permission(resource, '*');
  }

  /** Whether holding this permission satisfies the required one. */
  matches(required: Permission | string): boolean {
    const { resource, action } = typeof required === 'string' ? Permission.parse(required) : required;
    return covers(this.resource, resource) && covers(this.action, action);
  }

  toString(): string {
    return this.value;
  }

  toJSON(): string {
    return this.value;
  }
}

export const isPermissionText = (value: unknown): value is string =>
  typeof value === 'string' && permissionPattern.test(value);

const covers = (held: string, required: string): boolean => held === '*' || held === required;

const malformed = (text: string): Problem =>
  new Problem('invalid-setup', {
    detail: `'${text}' is not a permission: it must have the form resource:action.`,
  });

// No commas, because lists of permissions are joined by them; no partial wildcards, because they would never match.
const permissionPattern = /^(?:\*|[^\s:,*]+):(?:\*|[^\s:,*]+)$/;
