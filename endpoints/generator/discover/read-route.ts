import type { ts } from '../compiler.js';
import { textOf } from './literals.js';
import type { Reading } from './reading.js';

/** The route of a perspective or process, as it is written. */
export function routeOf(
  written: ts.Expression,
  noun: 'perspective' | 'process',
  reading: Reading,
): string | undefined {
  const path = textOf(written, reading.checker);
  if (path !== undefined && routePattern.test(path)) return path;
  reading.error('SVC1027', written, `the route of a ${noun} must be a literal such as '/orders'`);
  return undefined;
}

const routePattern = /^\/[A-Za-z0-9\-._~/]*[A-Za-z0-9\-._~]$/;
