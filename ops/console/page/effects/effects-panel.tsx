import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ListedEffect } from '../../../../runtime/effects/effect-lists.js';
import type { EffectsPage } from '../../model/effects.js';
import { count, counted } from '../../model/format.js';
import { read, reasonOf } from '../parts/api.js';
import { Badge, Card, Empty, Head, toneOf } from '../parts/components.js';
import { chosenHost, linkTo, linkToStuck, openItem, openPosition } from '../parts/navigation.js';
import { useRepeatedly } from '../parts/repeated-read.js';
import { dueText } from '../processes/instances-card.js';
import { ProcessCounts } from '../processes/process-chart.js';
import { RequestCard } from './request-card.js';

const page = signal<EffectsPage | undefined>(undefined);
const failure = signal('');

/** What waits for other systems. */
export function EffectsPanel() {
  const name = openItem.value || undefined;
  useEffect(() => {
    page.value = undefined;
  }, [chosenHost.value]);
  useRepeatedly(
    async (stopped) => {
      try {
        page.value = await read<EffectsPage>('effects', name === undefined ? {} : { name }, stopped);
        failure.value = '';
      } catch (error) {
        if (!stopped.aborted) failure.value = reasonOf(error);
      }
    },
    [chosenHost.value, name],
  );
  const seen = page.value;
  return (
    <div class="column single">
      {failure.value !== '' && <Empty>{failure.value}</Empty>}
      {seen === undefined && failure.value === '' && <Empty>Loading …</Empty>}
      {seen !== undefined && (
        <>
          <Choices names={seen.names} />
          {openPosition.value !== '' && <RequestCard id={openPosition.value} now={Date.parse(seen.now)} />}
          <ChartCard page={seen} name={name} />
          <LanesCard page={seen} name={name} />
          <RequestsCard page={seen} />
        </>
      )}
    </div>
  );
}

function Choices({ names }: { readonly names: readonly string[] }) {
  return (
    <nav class="choices" aria-label="Effects">
      {['', ...names].map((name) => (
        <a
          key={name}
          href={linkTo('effects', name, chosenHost.value, {})}
          aria-current={openItem.value === name ? 'true' : undefined}
        >
          {name === '' ? 'all' : name}
        </a>
      ))}
    </nav>
  );
}

interface Shown {
  readonly page: EffectsPage;
  /** Undefined: all effects. */
  readonly name: string | undefined;
}

function ChartCard({ page: { machine, counts, names }, name }: Shown) {
  // It does not change: the chart is laid out once.
  const chart = useMemo(() => machine, [JSON.stringify(machine)]);
  if (names.length === 0)
    return (
      <Card title="Requests by state">
        <Empty>This service has no effects.</Empty>
      </Card>
    );
  const own = counts.filter((one) => name === undefined || one.name === name);
  const paused = own.filter(({ state }) => state === 'paused').reduce((sum, one) => sum + one.count, 0);
  const states = own.map(({ state, count: all }) => ({
    state: state === 'paused' ? 'waiting' : state,
    status: state,
    count: all,
  }));
  const ended = 'requests that have ended are in the log';
  return (
    <Card title="Requests by state" hint={paused === 0 ? ended : `${count(paused)} paused · ${ended}`}>
      <ProcessCounts figures={{ name: 'effect', version: undefined, machine: chart, states, steps: [] }} />
    </Card>
  );
}

function LanesCard({ page: { lanes, now }, name }: Shown) {
  const own = lanes.filter((lane) => name === undefined || lane.name === name);
  return (
    <Card title="Longest lanes" hint="of all effects, the ten in which the most requests wait">
      {own.length === 0 ? (
        <Empty>Nothing waits.</Empty>
      ) : (
        <table>
          <Head columns={['Effect', 'Lane', '#Waiting', '#Next']} />
          <tbody>
            {own.map((lane) => (
              <tr key={`${lane.name} ${lane.lane}`}>
                <th scope="row">{lane.name}</th>
                <td>{lane.lane === '' ? '–' : <code>{lane.lane}</code>}</td>
                <td class="number">{count(lane.waiting)}</td>
                <td class="number">{dueText(lane.dueAt, Date.parse(now))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function RequestsCard({ page: { requests, now } }: { readonly page: EffectsPage }) {
  return (
    <Card title="Requests" hint={`${counted(requests.length, 'request')} by due time`}>
      {requests.length === 0 ? (
        <Empty>No request waits.</Empty>
      ) : (
        <table>
          <Head columns={['Request', 'Effect', 'Key', 'State', '#Attempts', '#Due', 'Lane', 'Error']} />
          <tbody>
            {requests.map((one) => (
              <Row key={one.id} request={one} now={Date.parse(now)} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Row({ request, now }: { readonly request: ListedEffect; readonly now: number }) {
  const { id, name, key, state, attempts, dueAt, lane, error } = request;
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('effects', name, chosenHost.value, {}, id)}>
          <code>{id}</code>
        </a>
      </th>
      <td>{name}</td>
      <td>
        <code>{key}</code>
      </td>
      <td>
        {state === 'parked' ? (
          <a href={linkToStuck('timers')}>
            <Badge tone={toneOf(state)}>{state}</Badge>
          </a>
        ) : (
          <Badge tone={toneOf(state)}>{state}</Badge>
        )}
      </td>
      <td class="number">{attempts}</td>
      <td class="number">{state === 'parked' ? '–' : dueText(dueAt, now)}</td>
      <td>{lane === '' ? '–' : <code>{lane}</code>}</td>
      <td class="reason">{error}</td>
    </tr>
  );
}
