import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { eventLabel, type LiveStates, liveStates, type MachineFacts } from '../model/live-states.js';
import { layoutOf, pathOf, type PlacedState, type Sizes } from '../model/statechart-layout.js';
import { chartOf, type StateDefinition } from '../model/statechart.js';
import { read, reasonOf } from './api.js';
import { Card, Empty } from './components.js';
import { InspectorFrames } from './inspector-frames.js';
import { actors, figures, isStale, outbox, perspectives } from './live-state.js';
import { linkTo, openItem } from './navigation.js';

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
    ? { lifecycle: [], relay: undefined, perspectives: [], actors: [] }
    : {
        lifecycle: figures.value?.states ?? [],
        relay: outbox.value?.relay,
        perspectives: perspectives.value ?? [],
        actors: actors.value ?? [],
      };

function MachineCard({ machine }: { readonly machine: StateDefinition }) {
  const live = liveStates(machine.id, facts());
  const who = [...live].map(([state, names]) => `${state}: ${names.join(', ')}`).join(' · ');
  return (
    <Card title={machine.id} hint={who === '' ? 'nobody is in it now, or nothing is reported' : who}>
      <MachineView machine={machine} live={live} />
    </Card>
  );
}

const sizes: Sizes = {
  state: ({ key, final }) => ({ width: Math.max(112, 8.4 * key.length + 24), height: final ? 44 : 52 }),
  label: ({ event }) => ({ width: 6.9 * eventLabel(event).length + 6, height: 24 }),
  weight: () => 1,
};

function MachineView({ machine, live }: { readonly machine: StateDefinition; readonly live: LiveStates }) {
  const layout = useMemo(() => layoutOf(chartOf(machine), sizes), [machine]);
  return (
    <div class="chart-scroll" role="group" aria-label="Statechart" tabIndex={0}>
      <svg
        class="statechart machine"
        viewBox={`-8 0 ${layout.width + 8} ${layout.height}`}
        width={layout.width + 8}
        height={layout.height}
        role="img"
        aria-label={`Statechart ${machine.id} with ${layout.states.length} states`}
      >
        <Arrow />
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
      </svg>
    </div>
  );
}

const Arrow = () => (
  <defs>
    <marker
      id="machine-arrow"
      class="arrow"
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="7"
      markerHeight="7"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0 0.8 L7.5 4 L0 7.2 z" />
    </marker>
  </defs>
);

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
