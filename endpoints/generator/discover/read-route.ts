import { type SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';

/** The route of a perspective or process, as it is written. */
export function routeOf(
  written: ts.Expression,
  noun: 'perspective' | 'process',
  { checker }: SourceTree,
  diagnostics: Diagnostics,
): string | undefined {
  const type = checker.getTypeAtLocation(written);
  const path = ts.isStringLiteralLike(written)
    ? written.text
    : type.isStringLiteral()
      ? type.value
      : undefined;
  if (path !== undefined && routePattern.test(path)) return path;
  diagnostics.error('SVC1027', written, `the route of a ${noun} must be a literal such as '/orders'`);
  return undefined;
}

const routePattern = /^\/[A-Za-z0-9\-._~/]*[A-Za-z0-9\-._~]$/;
