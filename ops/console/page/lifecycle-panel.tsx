import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { LifecycleFigures } from '../model/lifecycle.js';
import type { StreamRecord } from '../model/system-records.js';
import type { RequestDetail } from '../model/requests.js';
import { clock, count, duration, shortId } from '../model/format.js';
import type { StateDefinition } from '../model/statechart.js';
import { read, reasonOf } from './api.js';
import { ThroughputChart } from './throughput-chart.js';
import { hostInfo, figures, samples } from './live-state.js';
import { Badge, Card, Empty, Head, Stat, toneOf } from './components.js';
import { linkTo, navigate, openItem } from './navigation.js';
import { RequestList } from './request-list.js';
import { SequenceView } from './sequence-view.js';
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

function RequestCards({ request }: { readonly request: RequestDetail }) {
  const { host, correlationId, command, transport, startedAt, ms, outcome, traceId, error } = request;
  return (
    <>
      <div class="pair">
        <Card
          title="Sequence"
          hint={
            request.steps.length > 0 ? 'actors and messages, traced' : 'derived from the times of its states'
          }
        >
          <SequenceView request={request} />
        </Card>
        <Card title="Request" hint={<Badge tone={toneOf(outcome)}>{outcome}</Badge>}>
          <dl class="facts">
            <dt>Command</dt>
            <dd>{command}</dd>
            {host !== undefined && <dt>Host</dt>}
            {host !== undefined && <dd>{host}</dd>}
            <dt>Started</dt>
            <dd>{clock(startedAt)}</dd>
            <dt>Duration</dt>
            <dd>{duration(ms)}</dd>
            <dt>By</dt>
            <dd>{transport}</dd>
            {error !== undefined && <dt>Error</dt>}
            {error !== undefined && <dd>{error}</dd>}
            <dt>Correlation</dt>
            <dd>
              <code>{correlationId}</code>
            </dd>
            {traceId !== undefined && <dt>Trace</dt>}
            {traceId !== undefined && (
              <dd>
                <code>{traceId}</code>
              </dd>
            )}
          </dl>
        </Card>
      </div>
      <StoredRecords title="Events" hint="stored by this request" records={request.events} />
      <StoredRecords title="Audit" hint="in the system stream" records={request.records} linked />
    </>
  );
}

function StoredRecords({
  title,
  hint,
  records,
  linked = false,
}: {
  readonly title: string;
  readonly hint: string;
  readonly records: readonly StreamRecord[];
  readonly linked?: boolean;
}) {
  return (
    <Card title={title} hint={hint}>
      {records.length === 0 ? (
        <Empty>No records with its correlation id.</Empty>
      ) : (
        <table>
          <Head columns={['#Position', 'Type', 'About', '#Recorded']} />
          <tbody>
            {records.map(({ position, eventType, subject, recordedAt }) => (
              <tr key={position}>
                <td class="number">
                  {linked ? <a href={linkTo('system', String(position))}>{position}</a> : position}
                </td>
                <td>{eventType}</td>
                <td class="about">{subject}</td>
                <td class="number">{clock(recordedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
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
