import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { LifecycleFigures } from '../model/lifecycle.js';
import type { RequestDetail } from '../model/requests.js';
import { count, duration, shortId } from '../model/format.js';
import type { StateDefinition } from '../model/statechart.js';
import { read, reasonOf } from './api.js';
import { ThroughputChart } from './throughput-chart.js';
import { hostInfo, figures, samples } from './live-state.js';
import { Card, Empty, Head, Stat } from './components.js';
import { navigate, openItem } from './navigation.js';
import { RequestCards } from './request-cards.js';
import { RequestList } from './request-list.js';
import { StatechartView } from './statechart-view.js';

const machine = signal<StateDefinition | undefined>(undefined);
const asTable = signal(false);

export function LifecyclePanel() {
  const host = hostInfo.value?.host;
  useEffect(() => {
    if (host === undefined) return;
    read<StateDefinition>('machine').then(
      (definition) => (machine.value = definition),
      () => undefined,
    );
  }, [host]);
  const { request, failure } = useRequest(openItem.value);
  return (
    <div class="split">
      <RequestList />
      <div class="column">
        <div class="pulse">
          <LiveFigures />
          <section class="card" aria-label="Throughput">
            <ThroughputChart />
          </section>
        </div>
        <ChartCard request={request} />
        {failure !== '' && <Empty>{failure}</Empty>}
        {request === undefined ? (
          failure === '' && <Empty>Select a request to see its path, its messages and what it stored.</Empty>
        ) : (
          <RequestCards request={request} />
        )}
      </div>
    </div>
  );
}

function LiveFigures() {
  const last = samples.value.at(-1);
  const all = figures.value;
  const inFlight = all?.states.reduce((sum, state) => sum + state.inFlight, 0) ?? 0;
  return (
    <dl class="stats">
      <Stat name="requests/s" value={count(last?.requests ?? 0)} />
      <Stat name="failures/s" value={count(last?.failed ?? 0)} tone={(last?.failed ?? 0) > 0 ? 'bad' : ''} />
      <Stat name="in flight" value={count(inFlight)} />
      <Stat name="p50" value={duration(last?.p50Ms)} />
      <Stat name="p99" value={duration(last?.p99Ms)} />
      <Stat name="since start" value={count(all?.requests ?? 0)} />
    </dl>
  );
}

function ChartCard({ request }: { readonly request: RequestDetail | undefined }) {
  const hint =
    request === undefined ? (
      'all requests, live'
    ) : (
      <>
        {request.command} · <code>{shortId(request.correlationId)}</code> · {request.outcome}
        {request.error === undefined ? '' : ` · ${request.error}`}
      </>
    );
  const actions = (
    <>
      {request !== undefined && (
        <button type="button" class="link" onClick={() => navigate('lifecycle')}>
          Show all
        </button>
      )}
      <button
        type="button"
        class="link"
        aria-pressed={asTable.value}
        onClick={() => (asTable.value = !asTable.value)}
      >
        {asTable.value ? 'As chart' : 'As table'}
      </button>
    </>
  );
  return (
    <Card title="Lifecycle" hint={hint} actions={actions}>
      {asTable.value && figures.value !== undefined ? (
        <FiguresTable figures={figures.value} />
      ) : machine.value === undefined ? (
        <Empty>Loading the statechart …</Empty>
      ) : (
        <StatechartView machine={machine.value} figures={figures.value} request={request} />
      )}
    </Card>
  );
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

interface Loaded {
  readonly request: RequestDetail | undefined;
  readonly failure: string;
}

const nothing: Loaded = { request: undefined, failure: '' };

function useRequest(id: string): Loaded {
  const [loaded, setLoaded] = useState(nothing);
  useEffect(() => {
    setLoaded((before) => (before.request?.id === id ? before : nothing));
    if (id === '') return;
    const stop = new AbortController();
    read<RequestDetail>(`requests/${encodeURIComponent(id)}`, {}, stop.signal).then(
      (request) => setLoaded({ request, failure: '' }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ request: undefined, failure: reasonOf(error) });
      },
    );
    return () => stop.abort();
  }, [id]);
  return loaded;
}
