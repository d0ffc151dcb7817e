import { eventLabel } from '../model/event-label.js';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type LiveStates, liveStates, type MachineFacts, withoutState } from '../model/live-states.js';
import { machineSizes } from '../model/chart-sizes.js';
import { pathOf } from '../model/edge-curve.js';
import { layoutOf, type PlacedState } from '../model/statechart-layout.js';
import { chartOf, type StateDefinition } from '../model/statechart.js';
import { read, reasonOf } from './parts/api.js';
import { ArrowMarkers } from './parts/arrow-markers.js';
import { ScrollingChart } from './parts/scrolling-chart.js';
import { Card, Empty } from './parts/components.js';
import { InspectorFrames } from './inspector-frames.js';
import { actors, figures, isStale, perspectives } from './parts/live-state.js';
import { linkTo, openItem } from './parts/navigation.js';

const machines = signal<readonly StateDefinition[]>([]);
const failure = signal('');

/** Every statechart of the host, with who is in which state now. */
export function MachinesPanel() {
  useEffect(() => void load(), []);
  const all = machines.value.filter(({ states = {} }) => Object.keys(states).length > 0);
  const shown = all.find(({ id }) => id === openItem.value) ?? all[0];
  return (
    <div class="column single">
      {failure.value !== '' && <Empty>{failure.value}</Empty>}
      <nav class="choices" aria-label="Machines">
        {all.map(({ id }) => (
          <a key={id} href={linkTo('machines', id)} aria-current={shown?.id === id ? 'true' : undefined}>
            {id}
          </a>
        ))}
      </nav>
      {shown !== undefined && <MachineCard key={shown.id} machine={shown} />}
      <InspectorFrames />
    </div>
  );
}

async function load(): Promise<void> {
  try {
    machines.value = await read<StateDefinition[]>('machines');
    failure.value = '';
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

/** Of a host that sends nothing, no state is known. */
const facts = (): MachineFacts =>
  isStale.value
    ? { lifecycle: [], perspectives: [], actors: [] }
    : {
        lifecycle: figures.value?.states ?? [],
        perspectives: perspectives.value ?? [],
        actors: actors.value ?? [],
      };

function MachineCard({ machine }: { readonly machine: StateDefinition }) {
  const known = facts();
  const live = liveStates(machine.id, known);
  const who = [...live].map(([state, names]) => `${state}: ${names.join(', ')}`).join(' · ');
  return (
    <Card
      title={machine.id}
      hint={who !== '' ? who : isStale.value ? 'its state is not known' : withoutState(machine.id, known)}
    >
      <MachineView machine={machine} live={live} />
    </Card>
  );
}

function MachineView({ machine, live }: { readonly machine: StateDefinition; readonly live: LiveStates }) {
  const layout = useMemo(() => layoutOf(chartOf(machine), machineSizes), [machine]);
  return (
    <ScrollingChart
      title="Statechart"
      label={`Statechart ${machine.id} with ${layout.states.length} states`}
      className="statechart machine"
      box={{ x: -8, width: layout.width + 8, height: layout.height }}
    >
      <ArrowMarkers id="machine-arrow" />
      {layout.states
        .filter(({ state }) => state.children.length > 0)
        .map((placed) => (
          <StateBox key={placed.state.id} placed={placed} who={live.get(placed.state.key)} />
        ))}
      {layout.edges.map(({ edge, points }) => (
        <g key={edge.id} class="edge">
          <title>{`${edge.event}${edge.guard === undefined ? '' : ` [${edge.guard}]`}`}</title>
          <path d={pathOf(points)} marker-end="url(#machine-arrow)" />
        </g>
      ))}
      {layout.edges.map(({ edge, label }) => (
        <g key={edge.id} class="edge">
          <text x={label.x} y={label.y + 4}>
            {eventLabel(edge.event)}
          </text>
        </g>
      ))}
      {layout.states
        .filter(({ state }) => state.children.length === 0)
        .map((placed) => (
          <StateBox key={placed.state.id} placed={placed} who={live.get(placed.state.key)} />
        ))}
    </ScrollingChart>
  );
}

function StateBox({
  placed: { state, x, y, width, height },
  who,
}: {
  readonly placed: PlacedState;
  readonly who: readonly string[] | undefined;
}) {
  const top = y - height / 2;
  const isOuter = state.children.length > 0;
  const label = who === undefined ? '' : who.length === 1 ? (who[0] ?? '') : `${who.length} here`;
  return (
    <g class={`state ${who === undefined ? '' : 'passed here'}`} data-state={state.key}>
      <title>{who === undefined ? state.key : `${state.key}: ${who.join(', ')}`}</title>
      {state.initial && <circle class="initial" cx={x - width / 2 - 8} cy={y} r="4" />}
      <rect x={x - width / 2} y={top} width={width} height={height} rx={state.final ? 20 : 10} />
      <text class="name" x={x} y={isOuter ? top + 20 : y + (label === '' ? 5 : -2)}>
        {state.key}
      </text>
      {label !== '' && !isOuter && (
        <text class="hook" x={x} y={y + 15}>
          {label.length > width / 7.4 ? `${label.slice(0, Math.floor(width / 7.4) - 1)}…` : label}
        </text>
      )}
    </g>
  );
}
