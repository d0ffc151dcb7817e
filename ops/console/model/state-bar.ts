import { rebuildPercent } from '../../service/rebuild-phase.js';
import { count, counted } from './format.js';
import { faultsOfHost } from './host-faults.js';
import { faultsOfMonitor } from './monitor-faults.js';
import {
  type Fault,
  gravityOf,
  type RecentRequests,
  sentence,
  type StateFacts,
  type StateSentence,
  within,
} from './state-sentence.js';

/** A host sends something every second, also when nothing happens. */
export const silentAfterMs = 5_000;

/** The sentence on top of every page: the worst that is known, and what it means. */
export const stateSentence = (facts: StateFacts, faults = foundFaults(facts)): StateSentence => {
  const { connection, silentMs } = facts;
  if (connection === 'connecting') return sentence('quiet', 'Connecting to the host …', 'health');
  if (connection === 'lost')
    return sentence('lost', 'The connection to the host is lost; nothing below is current.', 'health');
  if (silentMs > silentAfterMs)
    return sentence('lost', 'The host does not respond; nothing below is current.', 'health');
  const [worst, ...others] = faults;
  if (worst === undefined) return allGood(facts);
  const { level, text, panel, since } = worst;
  const rebuilt = rebuilds(facts).map((one) => `${one}.`);
  return { level, text, panel, since, also: [...others.map((one) => one.text), ...rebuilt] };
};

/** The worst first; of the same level, what explains the others. */
export const foundFaults = (facts: StateFacts): readonly Fault[] =>
  (facts.hosts === undefined ? faultsOfHost(facts) : faultsOfMonitor(facts, facts.hosts)).toSorted(
    (one, other) => gravityOf(other) - gravityOf(one),
  );

function allGood(facts: StateFacts): StateSentence {
  const { health, hosts, recent } = facts;
  if (hosts !== undefined)
    return hosts.length === 0
      ? sentence('quiet', 'No hosts found yet.', 'overview')
      : sentence(
          'good',
          `${hosts.length === 1 ? 'The only host is' : `All ${hosts.length} hosts are`} healthy.`,
          'overview',
        );
  const checks = health?.checks.length ?? 0;
  if (checks === 0) return sentence('quiet', 'No health checks are reported.', 'health');
  const parts = [`All ${checks} checks are healthy${loadText(recent)}`, ...rebuilds(facts)];
  return sentence('good', `${parts.join('; ')}.`, 'health');
}

/** `orders is being rebuilt (42 %)`: not a fault, but readers may wait for it. */
const rebuilds = ({ perspectives = [] }: StateFacts): readonly string[] =>
  perspectives.flatMap(({ name, rebuild }) =>
    rebuild === undefined ? [] : `${name} is being rebuilt (${rebuildPercent(rebuild)} %)`,
  );

const fewestSeconds = 5;

/** A page that was just opened knows nothing about the requests before. */
function loadText(recent: RecentRequests | undefined): string {
  if (recent === undefined || recent.seconds < fewestSeconds) return '';
  const { requests, rejected } = recent;
  if (requests === 0) return `; no requests ${within(recent)}`;
  return `; ${counted(requests, 'request')} ${within(recent)}, ${rejected === 0 ? 'none' : count(rejected)} rejected`;
}
