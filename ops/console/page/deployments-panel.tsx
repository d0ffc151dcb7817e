import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DeploymentItem } from '../model/deployments.js';
import { ago, clock, duration } from '../model/format.js';
import { read, reasonOf } from './parts/api.js';
import { Badge, Card, Empty, Head, Progress, toneOf } from './parts/components.js';
import { now } from './parts/live-state.js';
import { chosenHost } from './parts/navigation.js';

const list = signal<readonly DeploymentItem[] | undefined>(undefined);
const failure = signal('');
const everyMs = 3_000;

/** What `svc deploy` does and did on this store. */
export function DeploymentsPanel() {
  useEffect(() => {
    void load();
    const timer = setInterval(() => void load(), everyMs);
    return () => clearInterval(timer);
  }, [chosenHost.value]);
  return (
    <div class="column single">
      <Card title="Deployments" hint="of this store, newest first">
        {failure.value !== '' && <Empty>{failure.value}</Empty>}
        {list.value?.length === 0 && <Empty>Nothing has been deployed with svc deploy yet.</Empty>}
        {list.value !== undefined && list.value.length > 0 && <DeploymentTable list={list.value} />}
      </Card>
    </div>
  );
}

async function load(): Promise<void> {
  try {
    list.value = await read<DeploymentItem[]>('deployments');
    failure.value = '';
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

const tones: Readonly<Record<string, string>> = {
  completed: 'good',
  running: 'info',
  paused: 'warn',
  reverting: 'warn',
  reverted: 'bad',
};

const DeploymentTable = ({ list: all }: { readonly list: readonly DeploymentItem[] }) => (
  <table>
    <Head columns={['Revision', 'State', 'Strategy', 'Traffic', 'By', '#Started', '#Took', 'Reason']} />
    <tbody>
      {all.map((item) => (
        <Row key={item.id} item={item} />
      ))}
    </tbody>
  </table>
);

function Row({ item }: { readonly item: DeploymentItem }) {
  const {
    revision,
    previous,
    state,
    strategy,
    toNew,
    actor,
    startedAt,
    finishedAt,
    reason = '',
    isDriven,
  } = item;
  const isOpen = finishedAt === undefined;
  return (
    <tr>
      <th scope="row" title={previous === undefined ? 'the first' : `after ${previous}`}>
        {revision}
      </th>
      <td>
        <Badge tone={tones[state] ?? toneOf(state)}>{state}</Badge>
        {isOpen && !isDriven && <Badge tone="bad">no process drives it</Badge>}
      </td>
      <td>{strategy}</td>
      <td>
        <Progress done={toNew} total={100} label={`Traffic of ${revision}`} />
        <span class="share">{toNew} %</span>
      </td>
      <td>{actor}</td>
      <td class="number">{clock(new Date(startedAt).toISOString(), 'dated')}</td>
      <td class="number">
        {isOpen ? ago(startedAt, now.value) : duration(Date.parse(finishedAt) - Date.parse(startedAt))}
      </td>
      <td class="reason">{reason}</td>
    </tr>
  );
}
