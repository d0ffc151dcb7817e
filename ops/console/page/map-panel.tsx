import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { EventModel } from '../model/event-model.js';
import { count, counted as countedText, duration, perSecond } from '../model/format.js';
import {
  columnX,
  layoutMap,
  linePath,
  type MapEdge,
  type MapLayout,
  type MapNode,
  mapSizes,
} from '../model/map-layout.js';
import { read, reasonOf } from './parts/api.js';
import { ScrollingChart } from './parts/scrolling-chart.js';
import { Card, Empty, Head } from './parts/components.js';
import { hostInfo, hosts, isStale, outbox, perspectives, samples } from './parts/live-state.js';
import { chosenHost, linkTo } from './parts/navigation.js';

const model = signal<EventModel | undefined>(undefined);
const failure = signal('');
const asTable = signal(false);
const everyMs = 3_000;

/** Commands, the events that they append, and what folds or reacts to them, with the flow of the last minute. */
export function MapPanel() {
  useEffect(() => {
    model.value = undefined;
    void load();
    const timer = setInterval(() => void load(), everyMs);
    return () => clearInterval(timer);
  }, [chosenHost.value]);
  const shown = model.value;
  const toggle = (
    <button
      type="button"
      class="link"
      aria-pressed={asTable.value}
      onClick={() => (asTable.value = !asTable.value)}
    >
      {asTable.value ? 'As map' : 'As table'}
    </button>
  );
  const hint =
    shown === undefined
      ? ''
      : `from the newest ${countedText(shown.examined, 'event')} · numbers are of the last minute`;
  return (
    <div class="column single">
      <FlowCard />
      <Card title="Event model" hint={hint} actions={toggle}>
        {failure.value !== '' && <Empty>{failure.value}</Empty>}
        {shown !== undefined && (asTable.value ? <EdgesTable model={shown} /> : <MapView model={shown} />)}
      </Card>
    </div>
  );
}

async function load(): Promise<void> {
  try {
    model.value = await read<EventModel>('map');
    failure.value = '';
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

/** The way of an event: hosts, store, relay. */
function FlowCard() {
  const last = isStale.value ? undefined : samples.value.at(-1);
  const relay = outbox.value;
  const names =
    hosts.value.length > 1 && chosenHost.value === undefined ? hosts.value : [hostInfo.value?.host];
  const behind = Math.max(0, ...(perspectives.value ?? []).map(({ lag }) => lag));
  return (
    <Card title="Flow" hint="hosts, store and transport">
      <ol class="flow">
        <li>
          <strong>{names.length > 1 ? `${names.length} hosts` : 'Host'}</strong>
          <span>{names.filter(Boolean).join(', ')}</span>
        </li>
        <li class="arrow" aria-label="to">
          {last === undefined ? '–' : `${perSecond(last.requests)} requests/s`}
        </li>
        <li>
          <strong>Store</strong>
          <span>PostgreSQL</span>
        </li>
        <li class={`arrow ${behind > 0 ? 'warn' : ''}`} aria-label="to">
          {behind === 0 ? 'no lag' : `${count(behind)} behind`}
        </li>
        <li>
          <strong>Perspectives</strong>
          <a href={linkTo('perspectives')}>{count(perspectives.value?.length ?? 0)} read models</a>
        </li>
        <li class={`arrow ${(relay?.pending ?? 0) > 0 ? 'warn' : ''}`} aria-label="and to">
          {relay === undefined ? '–' : pendingText(relay)}
        </li>
        <li>
          <strong>Transport</strong>
          <a href={linkTo('outbox')}>relay {relay?.relay ?? 'unknown'}</a>
        </li>
      </ol>
    </Card>
  );
}

const pendingText = ({
  pending,
  more,
  oldestAgeMs,
}: {
  readonly pending: number;
  readonly more: boolean;
  readonly oldestAgeMs?: number | undefined;
}): string =>
  pending === 0 ? 'nothing waits' : `${count(pending)}${more ? '+' : ''} wait, ${duration(oldestAgeMs)}`;

function MapView({ model: shown }: { readonly model: EventModel }) {
  const layout = useMemo(() => layoutMap(shown), [shown]);
  if (layout.nodes.length === 0) return <Empty>This service has no commands, events or perspectives.</Empty>;
  return (
    <ScrollingChart
      title="Map"
      label={`${shown.commands.length} commands, ${shown.events.length} events, ${shown.perspectives.length} perspectives and ${shown.senders.length} reactions, processes and timers`}
      className="event-map"
      box={{ x: -2, width: layout.width + 4, height: layout.height }}
    >
      {layout.titles.map((title, index) => (
        <text key={title} class="title" x={columnX(index, layout.titles.length) + mapSizes.node / 2} y={18}>
          {title}
        </text>
      ))}
      <Lines layout={layout} />
      {layout.nodes.map((node) => (
        <Box key={node.id} node={node} />
      ))}
    </ScrollingChart>
  );
}

const Lines = ({ layout }: { readonly layout: MapLayout }) => (
  <>
    {layout.edges.map((edge) => (
      <Line key={edge.id} edge={edge} />
    ))}
  </>
);

function Line({ edge }: { readonly edge: MapEdge }) {
  const { label, lately, count: counted } = edge;
  const tone = lately > 0 ? 'busy' : counted > 0 ? '' : 'faded';
  return (
    <g class={`line ${tone} ${edge.isTimed ? 'timed' : ''}`} data-edge={edge.id}>
      <title>{`${edge.id}: ${count(lately)} in the last minute, ${count(counted)} of the newest events`}</title>
      {/* Without a label there is nothing between the box and its line. */}
      {lately === 0 && <path d={`M${label.x - 6} ${label.y} H${edge.start.x}`} stroke-width="1.2" />}
      <path d={linePath(edge)} stroke-width={Math.min(5, 1.2 + Math.log10(1 + lately))} />
      {lately > 0 && !isStale.value && <path class="dash" d={linePath(edge)} />}
      <text x={label.x} y={label.y + 4}>
        {lately > 0 ? count(lately) : ''}
      </text>
    </g>
  );
}

function Box({ node: { kind, name, label, x, y, width, height, lately } }: { readonly node: MapNode }) {
  const perspective = perspectives.value?.find((one) => kind === 'perspective' && one.name === name);
  const state = perspective === undefined ? undefined : perspectiveText(perspective);
  return (
    <g class={`box ${kind} ${perspective !== undefined && perspective.lag > 0 ? 'behind' : ''}`}>
      <title>{name}</title>
      <rect x={x} y={y} width={width} height={height} rx={10} />
      <text x={x + width / 2} y={y + height / 2 - 2}>
        {label}
      </text>
      <text class="rate" x={x + width / 2} y={y + height / 2 + 14}>
        {state ?? notes[kind] ?? (lately === undefined || lately === 0 ? 'quiet' : `${count(lately)} / min`)}
      </text>
    </g>
  );
}

/** What a box is, where its column does not say it. */
const notes: Readonly<Partial<Record<MapNode['kind'], string>>> = {
  reaction: 'reaction',
  process: 'process',
  timer: 'timer',
  sent: 'command',
};

const perspectiveText = ({ state, lag }: { readonly state: string; readonly lag: number }): string =>
  lag > 0 ? `${state}, ${count(lag)} behind` : state;

function EdgesTable({ model: shown }: { readonly model: EventModel }) {
  return (
    <table>
      <Head columns={['From', 'To', '#Last minute', '#Newest events']} />
      <tbody>
        {layoutMap(shown).edges.map(({ id, from, to, lately, count: counted }) => (
          <tr key={id}>
            <th scope="row">{from}</th>
            <td>{to}</td>
            <td class="number">{count(lately)}</td>
            <td class="number">{count(counted)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
