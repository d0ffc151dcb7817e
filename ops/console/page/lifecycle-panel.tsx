import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { LifecycleFigures } from '../model/lifecycle.js';
import type { RequestDetail } from '../model/requests.js';
import { count, duration, perSecond, shortId } from '../model/format.js';
import { allRequests } from '../model/samples.js';
import type { StateDefinition } from '../model/statechart.js';
import { read, reasonOf } from './api.js';
import { ThroughputChart } from './throughput-chart.js';
import { hostInfo, figures, isStale, samples } from './live-state.js';
import { Card, Empty, Head, Stat } from './components.js';
import { navigate, openItem } from './navigation.js';
import { ReplayBar, useReplay } from './replay-bar.js';
import { requestAt } from '../model/request-replay.js';
import { FailureCard } from './failure-card.js';
import { RequestCards } from './request-cards.js';
import { RequestList } from './request-list.js';
import { StatechartView } from './statechart-view.js';

const machine = signal<StateDefinition | undefined>(undefined);
/** Unset: as it fits. */
const asTable = signal<boolean | undefined>(undefined);
const isNarrow = matchMedia('(max-width: 860px)');

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
  const replay = useReplay(request);
  const shown =
    request === undefined || replay.step === undefined ? request : requestAt(request, replay.step);
  return (
    <div class="split">
      <RequestList />
      <div class="column detail">
        {request !== undefined && <FailureCard request={request} />}
        {request === undefined && (
          <div class="pulse">
            <LiveFigures />
            <section class="card" aria-label="Throughput">
              <ThroughputChart />
            </section>
          </div>
        )}
        {request?.isRebuilt !== true && <ChartCard request={shown} of={request} replay={replay} />}
        {failure !== '' && <Empty>{failure}</Empty>}
        {request === undefined ? (
          failure === '' && <Empty>Select a request to see its path, its messages and what it stored.</Empty>
        ) : (
          <RequestCards request={request} step={replay.step} />
        )}
      </div>
    </div>
  );
}

/** Of a host that sends nothing, nothing is known. */
function LiveFigures() {
  const last = isStale.value ? undefined : samples.value.at(-1);
  const all = figures.value;
  const running = all?.states.reduce((sum, state) => sum + state.inFlight, 0);
  const rate = (value: number | undefined): string => (value === undefined ? '–' : perSecond(value));
  const tone = (value: number | undefined, bad: string): string => ((value ?? 0) > 0 ? bad : '');
  return (
    <dl class="stats">
      <Stat name="requests/s" value={rate(last?.requests)} />
      <Stat name="rejected/s" value={rate(last?.rejected)} tone={tone(last?.rejected, 'warn')} />
      <Stat name="failures/s" value={rate(last?.failed)} tone={tone(last?.failed, 'bad')} />
      <Stat name="in flight" value={isStale.value || running === undefined ? '–' : count(running)} />
      <Stat name="p50" value={duration(last?.p50Ms)} />
      <Stat name="p99" value={duration(last?.p99Ms)} />
      <Stat name="since start" value={all === undefined ? '–' : count(allRequests(all))} />
      <Stat name="rejected" value={all === undefined ? '–' : count(all.rejected)} />
    </dl>
  );
}

function ChartCard({
  request,
  of,
  replay,
}: {
  /** As it was at the step that is replayed. */
  readonly request: RequestDetail | undefined;
  readonly of: RequestDetail | undefined;
  readonly replay: ReturnType<typeof useReplay>;
}) {
  // The path of one request is in the chart alone.
  const isTable = asTable.value ?? (isNarrow.matches && request === undefined);
  const hint =
    request === undefined ? (
      'all requests, live · p50 / p99 in each state'
    ) : (
      <>
        {request.command} · <code>{shortId(request.correlationId)}</code> · {of?.outcome}
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
      <button type="button" class="link" aria-pressed={isTable} onClick={() => (asTable.value = !isTable)}>
        {isTable ? 'As chart' : 'As table'}
      </button>
    </>
  );
  return (
    <Card title="Lifecycle" hint={hint} actions={actions}>
      {of !== undefined && !isTable && <ReplayBar request={of} replay={replay} />}
      {isTable && figures.value !== undefined ? (
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

/** Where the list is above the details, a chosen request would be out of sight. */
function showDetail(): void {
  if (!isNarrow.matches) return;
  requestAnimationFrame(() => document.querySelector('.detail')?.scrollIntoView());
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
      (request) => {
        setLoaded({ request, failure: '' });
        showDetail();
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ request: undefined, failure: reasonOf(error) });
      },
    );
    return () => stop.abort();
  }, [id]);
  return loaded;
}
