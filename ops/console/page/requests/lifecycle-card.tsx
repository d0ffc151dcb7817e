import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count, duration } from '../../model/format.js';
import type { LifecycleFigures } from '../../model/lifecycle.js';
import type { RequestItem } from '../../model/requests.js';
import type { StateDefinition } from '../../model/statechart.js';
import { read } from '../parts/api.js';
import { Card, Empty, Head } from '../parts/components.js';
import { figures, hostInfo } from '../parts/live-state.js';
import { StatechartView } from './statechart-view.js';

const machine = signal<StateDefinition | undefined>(undefined);
/** Unset: as it fits. */
const asTable = signal<boolean | undefined>(undefined);

/** All requests in the states of the lifecycle. */
export function LifecycleCard() {
  const isTable = asTable.value ?? matchMedia('(max-width: 860px)').matches;
  const toggle = (
    <button type="button" class="link" aria-pressed={isTable} onClick={() => (asTable.value = !isTable)}>
      {isTable ? 'As chart' : 'As table'}
    </button>
  );
  return (
    <Card title="Lifecycle" hint="all requests, live · p50 / p99 in each state" actions={toggle}>
      {isTable && figures.value !== undefined ? (
        <FiguresTable figures={figures.value} />
      ) : (
        <LifecycleChart request={undefined} />
      )}
    </Card>
  );
}

/** The machine with live counts, or the path of one request. */
export function LifecycleChart({ request }: { readonly request: RequestItem | undefined }) {
  const host = hostInfo.value?.host;
  useEffect(() => {
    if (host === undefined) return;
    read<StateDefinition>('machine').then(
      (definition) => (machine.value = definition),
      () => undefined,
    );
  }, [host]);
  if (machine.value === undefined) return <Empty>Loading the statechart …</Empty>;
  return <StatechartView machine={machine.value} figures={figures.value} request={request} />;
}

function FiguresTable({ figures: { states, edges } }: { readonly figures: LifecycleFigures }) {
  const rows = [
    ...states.map((one) => ({ ...one, what: one.state, inFlight: count(one.inFlight) })),
    ...edges
      .filter((edge) => edge.count > 0)
      .map((one) => ({ ...one, what: `${one.from} → ${one.to} on ${one.event}`, inFlight: '' })),
  ];
  return (
    <table>
      <Head columns={['State or edge', '#Requests', '#In flight', '#p50', '#p99']} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.what}>
            <th scope="row">{row.what}</th>
            <td class="number">{count(row.count)}</td>
            <td class="number">{row.inFlight}</td>
            <td class="number">{duration(row.p50Ms)}</td>
            <td class="number">{duration(row.p99Ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
