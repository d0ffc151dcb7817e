import { faultsOfHost } from './host-faults.js';
import type { HostItem } from './overview.js';
import { type Fault, fault, some, type StateFacts, type StateLevel } from './state-sentence.js';

/** What is wrong with the hosts that a monitor knows, and with the monitor itself. */
export function faultsOfMonitor(facts: StateFacts, hosts: readonly HostItem[]): readonly Fault[] {
  const own = faultsOfHost({ ...facts, recent: undefined, perspectives: undefined }).map((one) => ({
    ...one,
    cause: `own ${one.cause}`,
    text: `The monitor itself: ${one.text}`,
  }));
  const inState = (state: HostItem['state']) => hosts.filter((host) => host.state === state);
  const listed = (level: StateLevel, those: readonly HostItem[], words: string): readonly Fault[] => {
    if (those.length === 0) return [];
    const names = those.map(({ name }) => name).join(', ');
    const text = `${some(those.length, hosts.length, 'host')} ${words}: ${names}.`;
    return [fault(`hosts ${words}`, level, text, 'overview')];
  };
  const ill = (status: string) =>
    inState('up').filter((host) => host.status === status || (status === 'Degraded' && isDegraded(host)));
  return [
    ...own,
    ...listed('bad', inState('silent'), 'silent'),
    ...listed('bad', ill('Unhealthy'), 'unhealthy'),
    ...listed('warn', ill('Degraded'), 'degraded'),
    ...listed('warn', inState('stopped'), 'stopped'),
    ...listed('quiet', inState('no report'), 'without a report so far'),
  ];
}

const isDegraded = ({ status, failingChecks }: HostItem): boolean =>
  status === 'Healthy' && failingChecks.length > 0;
