import { type FailureItem, groupFailures } from '../model/failure-groups.js';
import type { HostItem, ProgressItem, StoreItem } from '../model/overview.js';
import { ago, count, counted, shortId } from '../model/format.js';
import { now, overview } from './parts/live-state.js';
import { Badge, Card, Dot, Empty, Head, Progress, Time, toneOf } from './parts/components.js';
import { linkTo } from './parts/navigation.js';

/** All hosts known to a monitor: their health, their work and their failures. */
export function OverviewPanel() {
  const all = overview.value;
  if (all === undefined)
    return (
      <div class="column single">
        <Empty>Loading …</Empty>
      </div>
    );
  return (
    <div class="column single">
      <Card title="Hosts" hint={counted(all.hosts.length, 'host')}>
        <Hosts list={all.hosts} />
      </Card>
      <Card title="Stores" hint="whose messages are accepted">
        <Stores list={all.stores} />
      </Card>
      <Card title="Rebuilds and migrations">
        <Work list={all.progress} />
      </Card>
      <Card title="Failures" hint="errors of the services first, then what was recovered or refused">
        <Failures list={all.failures} />
      </Card>
    </div>
  );
}

function Hosts({ list }: { readonly list: readonly HostItem[] }) {
  if (list.length === 0)
    return (
      <Empty>
        No hosts found yet. Hosts that run with NATS_URL and SVC_BROADCAST=1 appear here automatically.
      </Empty>
    );
  return (
    <table>
      <Head
        columns={['Host', 'Service', 'Health', 'Failing checks', 'Store', '#Last record', '#Last seen']}
      />
      <tbody>
        {list.map((host) => (
          <tr key={host.name}>
            <th scope="row">
              <a href={linkTo('system', '', host.name)}>{host.name}</a>
            </th>
            <td>{[host.service, host.version].filter(Boolean).join(' ')}</td>
            <td>
              <Dot tone={toneOf(wordFor(host))} />{' '}
              <a href={linkTo('health', '', host.name)}>{wordFor(host)}</a>
            </td>
            <td class="about">{checksOf(host)}</td>
            <td>
              <code title={host.store}>{shortId(host.store)}</code>
            </td>
            <td class="number">{host.position ?? ''}</td>
            <td class="number">{ago(host.lastSeen, now.value)} ago</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Stores({ list }: { readonly list: readonly StoreItem[] }) {
  if (list.length === 0) return <Empty>No store has sent anything yet.</Empty>;
  return (
    <table>
      <Head columns={['Store', 'Trust', 'Key', '#Records', 'Remarks']} />
      <tbody>
        {list.map((store) => (
          <tr key={store.store}>
            <th scope="row">
              <code>{store.store}</code>
            </th>
            <td>
              <Dot tone={tones[store.trust]} /> {store.trust}
            </td>
            <td>{store.key === undefined ? 'none yet' : <code>{store.key}…</code>}</td>
            <td class="number">{store.records}</td>
            <td class="about">{remarksOn(store)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const tones = { pinned: 'good', trusted: 'good', waiting: 'warn', forgotten: 'quiet' } as const;

const remarksOn = ({ unconfirmed, missing, dropped, passedOver, trust }: StoreItem): string =>
  [
    unconfirmed > 0 ? `${count(unconfirmed)} unconfirmed` : '',
    missing > 0 ? `gap: ${count(missing)} not received` : '',
    dropped > 0 ? `${count(dropped)} thrown away` : '',
    trust === 'waiting' ? `${counted(passedOver, 'message')} passed over: svc stores trust` : '',
  ]
    .filter((text) => text !== '')
    .join('; ');

/** What a host that is not up reported last may be over. */
function checksOf({ state, failingChecks }: HostItem): string {
  const checks = failingChecks.map(({ name, detail }) => detail ?? name).join(' ');
  return state === 'up' || checks === '' ? checks : `Before: ${checks}`;
}

const wordFor = ({ state, status }: HostItem): string => (state === 'up' ? (status ?? state) : state);

function Work({ list }: { readonly list: readonly ProgressItem[] }) {
  if (list.length === 0) return <Empty>No rebuilds or migrations.</Empty>;
  return (
    <table>
      <Head columns={['Host', 'What', 'State', 'Done', '#Of', 'Detail', '#At']} />
      <tbody>
        {list.map((work) => (
          <tr key={`${work.host} ${work.what}`}>
            <th scope="row">{work.host}</th>
            <td>{work.what}</td>
            <td>
              <Badge tone={toneOf(work.state)}>{work.state}</Badge>
            </td>
            <td>
              <Progress done={work.done} total={work.total} label={`${work.what} of ${work.host}`} />
            </td>
            <td class="number">
              {count(work.done)} / {count(work.total)}
            </td>
            <td class="about">{work.detail ?? ''}</td>
            <td class="number">
              <Time at={work.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Failures({ list }: { readonly list: readonly FailureItem[] }) {
  if (list.length === 0) return <Empty>No failures.</Empty>;
  return (
    <table class="records">
      <Head columns={['Host', 'Kind', 'Type', 'Error', '#Times', 'Latest', '#At']} />
      <tbody>
        {groupFailures(list).map(({ kind, eventType, code, count: times, hosts, latest }) => (
          <tr key={`${kind} ${latest.position}`}>
            <th scope="row">{hosts.join(', ')}</th>
            <td>
              <Badge tone={kindTones[kind]}>{kind}</Badge>
            </td>
            <td>
              <a href={linkTo('system', String(latest.position))}>{eventType}</a>
            </td>
            <td>
              <code>{code}</code>
            </td>
            <td class="number">{count(times)}</td>
            <td class="about">{latest.subject}</td>
            <td class="number">
              <Time at={latest.recordedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const kindTones = { crashed: 'bad', recovered: 'warn', refused: 'quiet' } as const;
