import type { CheckResult } from '../../contracts/health.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { reasonOnOneLine } from './reason-on-one-line.js';

const shownNames = 12;

/** What this host runs whose lease is not renewed in time, whatever it is. */
export const leasesCheck =
  (
    leases: Pick<HostLeases, 'renewal'>,
    /** The name of a follower that has not the name of its lease. */
    followerOf: (lease: string) => string | undefined = () => undefined,
  ) =>
  (): CheckResult => {
    const { late, since } = leases.renewal;
    return {
      name: 'leases',
      tags: ['followers'],
      latencyMs: 0,
      since: since.toISOString(),
      status: late === undefined ? 'Healthy' : 'Degraded',
      detail:
        late === undefined
          ? null
          : `Due at ${late.dueAt.toISOString()} and not renewed: ${namesOf(late.names.map((lease) => followerOf(lease) ?? withoutPart(lease)))}. The reason: ${reasonOnOneLine(late.reason).replace(/[.\s]+$/, '')}.`,
    };
  };

/** Without the number of a partition. */
const withoutPart = (lease: string): string => lease.replace(/\/\d+$/, '');

function namesOf(followers: readonly string[]): string {
  const names = [...new Set(followers)].toSorted();
  const more = names.length - shownNames;
  return `${names.slice(0, shownNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
