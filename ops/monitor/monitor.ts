import type { ServiceDefinition } from '../../endpoints/registry.js';
import type { SystemStreamFilter } from '../commands/audit-matching.js';
import { follower } from './follower.js';
import { monitorConsole } from './monitor-console.js';
import { fits, type ReceivedRecord } from './received-record.js';
import { Roster } from './roster.js';

export interface MonitorOptions {
  /** Its own name among the hosts. */
  readonly name: string;
  readonly filter: SystemStreamFilter;
  /** Shown every record that fits the filter. */
  readonly show: (record: ReceivedRecord) => void;
}

/** A host that writes nothing of its own: it receives and keeps what every broadcasting host records. */
export function monitorService({ name, filter, show }: MonitorOptions): ServiceDefinition {
  const roster = new Roster(name);
  const showFitting = (record: ReceivedRecord): void => {
    if (fits(record, filter)) show(record);
  };
  return {
    name: 'monitor',
    receive: 'system',
    create: () => ({ endpoints: [], receptors: [] }),
    heard: (status) => roster.heard(status),
    console: (own, database) => monitorConsole(own, database, roster),
    children: (database) => [follower(database, roster, showFitting)],
  };
}
