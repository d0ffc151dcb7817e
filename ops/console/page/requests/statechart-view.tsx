import { useMemo } from 'preact/hooks';
import type { LifecycleFigures, StateFigures } from '../../model/lifecycle.js';
import type { RequestItem } from '../../model/requests.js';
import { isFailure, lifecycleSizes } from '../../model/chart-sizes.js';
import { pathOf } from '../../model/edge-curve.js';
import { count, counted, duration } from '../../model/format.js';
import { type Layout, layoutOf, type PlacedEdge, type PlacedState } from '../../model/statechart-layout.js';
import { entriesAbove } from '../../model/request-entry.js';
import { edgeKey } from '../../model/samples.js';
import { chartOf, type StateDefinition } from '../../model/statechart.js';
import { stateKeyOf, statesOf, edgesTaken } from '../../model/request-path.js';
import { ArrowMarkers } from '../parts/arrow-markers.js';
import { ScrollingChart } from '../parts/scrolling-chart.js';
import { MovingRequests } from './moving-requests.js';
import { RequestEntry } from './request-entry.js';

/** Below it the chart scrolls: a text of 12 units must not be smaller than 11 pixels. */
const smallestScale = 0.92;

/** The machine with live counts, or the path of one request through it. */
export function StatechartView({
  machine,
  figures,
  request,
}: {
  readonly machine: StateDefinition;
  readonly figures: LifecycleFigures | undefined;
  readonly request: RequestItem | undefined;
}) {
  const chart = useMemo(() => chartOf(machine), [machine]);
  const layout = useMemo(() => layoutOf(chart, lifecycleSizes), [chart]);
  const first = layout.states.find(({ state }) => state.initial);
  const entries = first === undefined ? [] : entriesAbove(first, figures);
  const top = Math.min(0, ...entries.map(({ y }) => y - 40));
  const taken = request === undefined ? undefined : edgesTaken(request, chart.edges);
  const states = request === undefined ? undefined : new Set(statesOf(request));
  return (
    <ScrollingChart
      title="Statechart"
      label={`Statechart ${machine.id} with ${layout.states.length} states`}
      className={`statechart ${request === undefined ? '' : 'one'}`}
      box={{ y: top, width: layout.width, height: layout.height - top }}
      leastWidth={Math.floor(layout.width * smallestScale)}
      showing={request && (request.failedIn ?? statesOf(request).at(-1))}
    >
      <ArrowMarkers id="arrow" tones={['', 'bad', 'way']} />
      <Edges layout={layout} figures={figures} taken={taken} />
      {entries.map((entry) => (
        <RequestEntry
          key={entry.outcome}
          entry={entry}
          taken={request && request.outcome === entry.outcome}
        />
      ))}
      {layout.states.map((placed) => (
        <State
          key={placed.state.id}
          placed={placed}
          figures={figures}
          request={request}
          passed={states?.has(placed.state.key)}
        />
      ))}
    </ScrollingChart>
  );
}

interface EdgesProps {
  readonly layout: Layout;
  readonly figures: LifecycleFigures | undefined;
  /** The edges that one request took. */
  readonly taken: ReadonlySet<string> | undefined;
}

/** The labels lie on top of all edges, so that no line crosses a text. */
const Edges = ({ layout, figures, taken }: EdgesProps) => (
  <>
    {layout.edges.map((placed) => (
      <Edge key={placed.edge.id} placed={placed} figures={figures} taken={taken?.has(placed.edge.id)} />
    ))}
    {taken === undefined && <MovingRequests layout={layout} isFailure={isFailure} />}
    {layout.edges.map((placed) => (
      <EdgeLabel key={placed.edge.id} placed={placed} figures={figures} taken={taken?.has(placed.edge.id)} />
    ))}
  </>
);

interface EdgeProps {
  readonly placed: PlacedEdge;
  readonly figures: LifecycleFigures | undefined;
  readonly taken: boolean | undefined;
}

function edgeFigures({ placed: { edge }, figures, taken }: EdgeProps) {
  const key = edgeKey({ from: stateKeyOf(edge.from), event: edge.event, to: stateKeyOf(edge.to) });
  const of = figures?.edges.find((one) => edgeKey(one) === key);
  const passed = of?.count ?? 0;
  const tone = taken === true ? 'way' : isFailure(edge.event) ? 'bad' : '';
  const faded = taken === false || (taken === undefined && passed === 0) ? 'faded' : '';
  return { key, of, passed, tone, faded };
}

function Edge(props: EdgeProps) {
  const { placed, taken } = props;
  const { edge, points } = placed;
  const { key, of, passed, tone, faded } = edgeFigures(props);
  const weight = passed === 0 ? 1 : Math.min(5, 1.2 + Math.log10(passed));
  return (
    <g class={`edge ${tone} ${faded}`} data-edge={key} data-count={passed}>
      <title>{`${key}${edge.guard === undefined ? '' : ` [${edge.guard}]`}: ${count(passed)} · p50 ${duration(of?.p50Ms)} · p99 ${duration(of?.p99Ms)}`}</title>
      <path
        d={pathOf(points)}
        stroke-width={taken === true ? 2.2 : weight}
        marker-end={`url(#arrow${tone})`}
      />
    </g>
  );
}

function EdgeLabel(props: EdgeProps) {
  const { placed, taken } = props;
  const { edge, label } = placed;
  const { passed, tone, faded } = edgeFigures(props);
  const isCounted = taken === undefined && passed > 0;
  return (
    <g class={`edge ${tone} ${faded}`}>
      <text x={label.x} y={label.y - 5}>
        {edge.event}
      </text>
      {isCounted && (
        <text x={label.x} y={label.y + 13} class="count">
          {count(passed)}
        </text>
      )}
    </g>
  );
}

interface StateProps {
  readonly placed: PlacedState;
  readonly figures: LifecycleFigures | undefined;
  readonly request: RequestItem | undefined;
  readonly passed: boolean | undefined;
}

function State({ placed: { state, x, y, width, height }, figures, request, passed }: StateProps) {
  const of = figures?.states.find((one) => one.state === state.key);
  const inFlight = request === undefined ? (of?.inFlight ?? 0) : 0;
  const left = x - width / 2;
  const top = y - height / 2;
  const passedClass = passed === undefined ? '' : passed ? 'passed' : 'faded';
  return (
    <g class={`state stage-${state.key} ${passedClass}`} data-state={state.key} data-count={of?.count ?? 0}>
      <title>{`${state.key}: ${counted(of?.count ?? 0, 'request')}, ${of?.inFlight ?? 0} in flight · p50 ${duration(of?.p50Ms)} · p99 ${duration(of?.p99Ms)}`}</title>
      {state.initial && <circle class="initial" cx={left - 10} cy={y} r="4" />}
      <rect x={left} y={top} width={width} height={height} rx={state.final ? 22 : 10} />
      {state.final && (
        <rect class="inner" x={left + 4} y={top + 4} width={width - 8} height={height - 8} rx="18" />
      )}
      <text class="name" x={x} y={state.final ? y + (request === undefined ? -1 : 5) : top + 22}>
        {state.key}
      </text>
      {state.final && request === undefined && (
        <text class="total" x={x} y={y + 13}>
          {count(of?.count ?? 0)}
        </text>
      )}
      {!state.final && (
        <text class="hook" x={x} y={top + 39}>
          {state.description ?? ''}
        </text>
      )}
      {!state.final && (
        <text class="times" x={x} y={top + 57}>
          {timesOf(of, request, state.key)}
        </text>
      )}
      {inFlight > 0 && <InFlight right={left + width} y={top} of={inFlight} />}
    </g>
  );
}

function timesOf(of: StateFigures | undefined, request: RequestItem | undefined, state: string): string {
  if (request === undefined) {
    return of?.p50Ms === undefined ? '' : `${duration(of.p50Ms)} / ${duration(of.p99Ms)}`;
  }
  const spent = request.states.find(([name]) => name === state)?.[1];
  return spent === undefined ? '' : duration(spent);
}

/** Not beyond the box: labels of edges begin there. */
function InFlight({ right, y, of }: { readonly right: number; readonly y: number; readonly of: number }) {
  const text = count(of);
  const width = Math.max(20, 10 + 7 * text.length);
  const x = right - width / 2;
  return (
    <g class="in-flight">
      <rect x={x - width / 2} y={y - 10} width={width} height="20" rx="10" />
      <text x={x} y={y + 4}>
        {text}
      </text>
    </g>
  );
}
