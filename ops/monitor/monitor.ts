import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import type { SystemStreamFilter } from '../audit/record-query.js';
import type { LaunchOptions } from '../host/launch-options.js';
import { recordFollower } from './record-follower.js';
import { monitorConsole } from '../console/sources/monitor/monitor-console.js';
import { matchesFilter, type ReceivedRecord } from '../console/sources/monitor/received-record.js';
import { KnownHosts } from '../console/sources/monitor/known-hosts.js';

interface MonitorOptions {
  /** The monitor's own name among the hosts. */
  readonly name: string;
  readonly filter: SystemStreamFilter;
  /** Called with every record that matches the filter. */
  readonly show: (record: ReceivedRecord) => void;
}

interface Monitor {
  readonly definition: ServiceDefinition;
  readonly hostOptions: LaunchOptions;
}

/** A host that writes no events of its own: it receives and stores what every broadcasting host records. */
export function monitorHost({ name, filter, show }: MonitorOptions): Monitor {
  const knownHosts = new KnownHosts(name);
  const showMatching = (record: ReceivedRecord): void => {
    if (matchesFilter(record, filter)) show(record);
  };
  return {
    definition: {
      name: 'monitor',
      receive: 'system',
      create: () => ({ endpoints: [], receptors: [] }),
    },
    hostOptions: {
      onStatus: (status) => knownHosts.addStatus(status),
      consoleSource: (own) => monitorConsole(own, knownHosts),
      children: (database) => [recordFollower(database, knownHosts, showMatching)],
    },
  };
}
