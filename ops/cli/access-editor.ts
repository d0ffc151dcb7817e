import { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { AccessEditor } from '../../runtime/access/recorded-change.js';
import { AuditPolicy } from '../../runtime/audit/audit-policy.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import { currentOperator } from './operator.js';
import type { Config } from '../config/config.js';

/** The operator at the command line, who changes roles and keys. */
export function cliEditor({ name: host, broadcast }: Pick<Config, 'name' | 'broadcast'>): AccessEditor {
  const options = new SystemEventOptions();
  if (broadcast) options.broadcast();
  const policy = new AuditPolicy(options);
  return { host, changedBy: currentOperator(), recordOf: (message) => systemRecord(message, {}, policy) };
}
