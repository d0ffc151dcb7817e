import type { ClientBase } from 'pg';

/** The warnings of the server on one connection. */
interface Warnings {
  count: number;
  last: unknown;
}

const kept = new WeakMap<ClientBase, Warnings>();

/**
 * A commit whose wait for the standby is cut short, by a timeout or an operator, succeeds with a warning: it is on one
 * disk only. So a warning during a commit means that its outcome is unknown.
 */
export function warningsOf(client: ClientBase): Warnings {
  const known = kept.get(client);
  if (known !== undefined) return known;
  const warnings: Warnings = { count: 0, last: undefined };
  kept.set(client, warnings);
  client.on('notice', (notice) => {
    if (!isWarning(notice)) return;
    warnings.count++;
    warnings.last = notice;
  });
  return warnings;
}

/**
 * Decided by the code, since message and severity are localized: mere notices have class 00, and class 25 says that there
 * was no transaction to end.
 */
const isWarning = ({ code }: { readonly code?: string | undefined }): boolean =>
  code === undefined || !/^(?:00|25)/.test(code);
