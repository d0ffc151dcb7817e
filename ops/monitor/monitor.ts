import type { ServiceDefinition } from '../../endpoints/registry.js';
import type { SystemStreamFilter } from '../audit/audit-matching.js';
import type { HostOptions } from '../host/host-options.js';
import { follower } from './follower.js';
import { monitorConsole } from '../console/sources/monitor/monitor-console.js';
import { fits, type ReceivedRecord } from '../console/sources/monitor/received-record.js';
import { Roster } from '../console/sources/monitor/roster.js';

interface MonitorOptions {
  /** Its own name among the hosts. */
  readonly name: string;
  readonly filter: SystemStreamFilter;
  /** Shown every record that fits the filter. */
  readonly show: (record: ReceivedRecord) => void;
}

interface Monitor {
  readonly definition: ServiceDefinition;
  readonly extras: HostOptions;
}

/** A host that writes nothing of its own: it receives and keeps what every broadcasting host records. */
export function monitorHost({ name, filter, show }: MonitorOptions): Monitor {
  const roster = new Roster(name);
  const showFitting = (record: ReceivedRecord): void => {
    if (fits(record, filter)) show(record);
  };
  return {
    definition: {
      name: 'monitor',
      receive: 'system',
      create: () => ({ endpoints: [], receptors: [] }),
    },
    extras: {
      heard: (status) => roster.heard(status),
      console: (own) => monitorConsole(own, roster),
      children: (database) => [follower(database, roster, showFitting)],
    },
  };
}
