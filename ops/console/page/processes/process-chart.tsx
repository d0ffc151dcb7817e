import { useMemo } from 'preact/hooks';
import { processSizes } from '../../model/chart-sizes.js';
import { pathOf } from '../../model/edge-curve.js';
import { count } from '../../model/format.js';
import { eventLabel } from '../../model/event-label.js';
import {
  countsByEdge,
  countsByState,
  edgesOfStep,
  type ProcessChart,
  processChartOf,
  statesIn,
} from '../../model/process-chart.js';
import type { InstanceStep, ProcessFigures } from '../../model/processes.js';
import { layoutOf, type PlacedEdge, type PlacedState } from '../../model/statechart-layout.js';
import type { StateDefinition } from '../../model/statechart.js';
import { ArrowMarkers } from '../parts/arrow-markers.js';
import { Empty, Head } from '../parts/components.js';
import { ScrollingChart } from '../parts/scrolling-chart.js';

/** What is written on the chart: of all instances, or the way of one. */
interface Marks {
  /** The text below the name of a state. */
  readonly states: ReadonlyMap<string, string>;
  readonly passed: ReadonlySet<string> | undefined;
  readonly here: ReadonlySet<string>;
  /** States with instances that wait for a repair. */
  readonly stuck: ReadonlySet<string>;
  readonly edges: ReadonlyMap<string, number>;
  readonly taken: ReadonlySet<string> | undefined;
}

/** All instances of a process: how many are in each state, and how often each edge was taken. */
export function ProcessCounts({ figures }: { readonly figures: ProcessFigures }) {
  const process = useChart(figures.machine);
  const counts = countsByState(process, figures.states);
  const stuck = countsByState(
    process,
    figures.states.filter(({ status }) => status === 'parked' || status === 'retrying'),
  );
  const { edges } = countsByEdge(process, figures.steps);
  const states = new Map(
    [...counts].map(([id, all]) => {
      const waiting = stuck.get(id) ?? 0;
      return [id, waiting === 0 ? count(all) : `${count(all)} · ${count(waiting)} stuck`];
    }),
  );
  const marks = {
    states,
    edges,
    stuck: new Set(stuck.keys()),
    here: none,
    passed: undefined,
    taken: undefined,
  };
  return <Drawing name={figures.name} process={process} marks={marks} />;
}

/** The way of one instance, and where it is. */
export function InstancePath({
  name,
  machine,
  state,
  steps,
}: {
  readonly name: string;
  readonly machine: unknown;
  readonly state: string;
  readonly steps: readonly InstanceStep[];
}) {
  const process = useChart(machine);
  const taken = new Set(steps.flatMap((step) => edgesOfStep(process, step)));
  const passed = new Set(steps.flatMap(({ to }) => statesIn(process, to)));
  const here = new Set(statesIn(process, state));
  const { edges } = countsByEdge(
    process,
    steps.map((step) => ({ ...step, count: 1 })),
  );
  const often = new Map([...edges].filter(([, times]) => times > 1));
  const marks = { states: new Map<string, string>(), edges: often, stuck: none, here, passed, taken };
  return <Drawing name={name} process={process} marks={marks} />;
}

/** The same as the chart, for those who cannot see it. */
export function EdgeTable({ figures }: { readonly figures: ProcessFigures }) {
  const process = useChart(figures.machine);
  const { edges } = countsByEdge(process, figures.steps);
  const nameOf = (id: string): string => process.paths.get(id) ?? id;
  if (process.chart.edges.length === 0) return <Empty>Its machine has no transitions.</Empty>;
  return (
    <table>
      <Head columns={['From', 'Event', 'To', '#Steps']} />
      <tbody>
        {process.chart.edges.map(({ id, from, event, to }) => (
          <tr key={id}>
            <th scope="row">{nameOf(from)}</th>
            <td>{eventLabel(event)}</td>
            <td>{nameOf(to)}</td>
            <td class="number">{count(edges.get(id) ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const none: ReadonlySet<string> = new Set();

const useChart = (machine: unknown): ProcessChart =>
  useMemo(() => processChartOf(machine as StateDefinition), [machine]);

function Drawing({
  name,
  process,
  marks,
}: {
  readonly name: string;
  readonly process: ProcessChart;
  readonly marks: Marks;
}) {
  const layout = useMemo(() => layoutOf(process.chart, processSizes), [process]);
  const [outer, inner] = [true, false].map((isOuter) =>
    layout.states.filter(({ state }) => state.children.length > 0 === isOuter),
  );
  return (
    <ScrollingChart
      title="Statechart"
      label={`Statechart ${name} with ${layout.states.length} states`}
      className={`statechart machine ${marks.taken === undefined ? '' : 'one'}`}
      box={{ x: -16, width: layout.width + 16, height: layout.height }}
    >
      <ArrowMarkers id="process-arrow" tones={['', 'bad', 'way']} />
      {outer?.map((placed) => (
        <StateBox key={placed.state.id} placed={placed} marks={marks} />
      ))}
      {layout.edges.map((placed) => (
        <EdgeLine key={placed.edge.id} placed={placed} marks={marks} />
      ))}
      {layout.edges.map((placed) => (
        <EdgeLabel key={placed.edge.id} placed={placed} marks={marks} />
      ))}
      {inner?.map((placed) => (
        <StateBox key={placed.state.id} placed={placed} marks={marks} />
      ))}
    </ScrollingChart>
  );
}

interface EdgeProps {
  readonly placed: PlacedEdge;
  readonly marks: Marks;
}

function toneOfEdge({ placed: { edge }, marks: { taken, edges } }: EdgeProps) {
  const passed = edges.get(edge.id) ?? 0;
  const isFaded = taken === undefined ? passed === 0 : !taken.has(edge.id);
  const tone = taken?.has(edge.id) === true ? 'way' : edge.event.endsWith('.refused') ? 'bad' : '';
  const timer = edge.event.startsWith('xstate.after.') ? 'timer' : '';
  return { passed, tone, className: `edge ${tone} ${timer} ${isFaded ? 'faded' : ''}` };
}

function EdgeLine(props: EdgeProps) {
  const { edge, points } = props.placed;
  const { passed, tone, className } = toneOfEdge(props);
  const guard = edge.guard === undefined ? '' : ` [${edge.guard}]`;
  return (
    <g class={className} data-edge={edge.id} data-count={passed}>
      <title>{`${eventLabel(edge.event)}${guard}: ${count(passed)}`}</title>
      <path
        d={pathOf(points)}
        stroke-width={passed === 0 ? 1.2 : Math.min(5, 1.4 + Math.log10(passed))}
        marker-end={`url(#process-arrow${tone})`}
      />
    </g>
  );
}

function EdgeLabel(props: EdgeProps) {
  const { edge, label } = props.placed;
  const { passed, className } = toneOfEdge(props);
  return (
    <g class={className}>
      <text x={label.x} y={label.y - 4}>
        {eventLabel(edge.event)}
      </text>
      {passed > 0 && (
        <text class="count" x={label.x} y={label.y + 13}>
          {count(passed)}
        </text>
      )}
    </g>
  );
}

function StateBox({
  placed: { state, x, y, width, height },
  marks,
}: {
  readonly placed: PlacedState;
  readonly marks: Marks;
}) {
  const top = y - height / 2;
  const left = x - width / 2;
  const text = marks.states.get(state.id) ?? '';
  const isOuter = state.children.length > 0;
  const isHere = marks.here.has(state.id) || text !== '';
  const way = marks.passed === undefined ? '' : marks.passed.has(state.id) ? 'passed' : 'faded';
  const tone = marks.stuck.has(state.id) ? 'stuck' : isHere ? 'here' : '';
  return (
    <g class={`state ${way} ${tone}`} data-state={state.key}>
      <title>{text === '' ? state.key : `${state.key}: ${text}`}</title>
      {state.initial && <circle class="initial" cx={left - 8} cy={y} r="4" />}
      <rect x={left} y={top} width={width} height={height} rx={state.final ? 22 : 10} />
      {state.final && (
        <rect class="inner" x={left + 4} y={top + 4} width={width - 8} height={height - 8} rx="18" />
      )}
      <text class="name" x={x} y={isOuter ? top + 20 : y + (text === '' ? 5 : -2)}>
        {isOuter && text !== '' ? `${state.key} · ${text}` : state.key}
      </text>
      {!isOuter && (
        <text class="total" x={x} y={y + 16}>
          {text}
        </text>
      )}
    </g>
  );
}
