import { useEffect, useState } from 'preact/hooks';
import type { RequestDetail } from '../../model/requests.js';
import { count, duration, perSecond } from '../../model/format.js';
import { allRequests } from '../../model/samples.js';
import { read, reasonOf } from '../parts/api.js';
import { Empty, Stat } from '../parts/components.js';
import { figures, isStale, samples } from '../parts/live-state.js';
import { openItem } from '../parts/navigation.js';
import { FailureCard } from './failure-card.js';
import { FailuresCard } from './failures-card.js';
import { LifecycleCard } from './lifecycle-card.js';
import { RequestCards } from './request-cards.js';
import { RequestList } from './request-list.js';
import { ThroughputChart } from './throughput-chart.js';

export function RequestsPanel() {
  const { request, failure } = useRequest(openItem.value);
  return (
    <div class="split">
      <RequestList />
      <div class="column detail">
        {request !== undefined && <FailureCard request={request} />}
        {request !== undefined && <RequestCards request={request} />}
        {failure !== '' && <Empty>{failure}</Empty>}
        {request === undefined && failure === '' && <AllRequests />}
      </div>
    </div>
  );
}

const AllRequests = () => (
  <>
    <div class="pulse">
      <LiveFigures />
      <section class="card" aria-label="Throughput">
        <ThroughputChart />
      </section>
    </div>
    <FailuresCard />
    <LifecycleCard />
  </>
);

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

/** Where the list is above the details, a chosen request would be out of sight. */
function showDetail(): void {
  if (!matchMedia('(max-width: 860px)').matches) return;
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
