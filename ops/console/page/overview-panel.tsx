import type { HostLine, ProgressLine } from '../model/overview.js';
import type { StreamRecord } from '../model/system-records.js';
import { ago, clock, count, shortId } from '../model/format.js';
import { now, overview } from './live-state.js';
import { Badge, Card, Dot, Empty, Head, Progress, toneOf } from './components.js';
import { linkTo } from './navigation.js';

/** Everybody a monitor hears of: how they are, what they work on and what went wrong. */
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
      <Card title="Hosts" hint={`${count(all.hosts.length)} heard of`}>
        <Hosts list={all.hosts} />
      </Card>
      <Card title="Rebuilds and migrations">
        <Work list={all.progress} />
      </Card>
      <Card title="Failures" hint="newest first">
        <Failures list={all.failures} />
      </Card>
    </div>
  );
}

function Hosts({ list }: { readonly list: readonly HostLine[] }) {
  if (list.length === 0)
    return (
      <Empty>
        No host has been heard of yet. Hosts with NATS_URL and SVC_BROADCAST=1 appear by themselves.
      </Empty>
    );
  return (
    <table>
      <Head columns={['Host', 'Service', 'Health', 'Not well', 'Store', '#Last record', '#Last seen']} />
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
            <td class="about">{host.failingChecks.map(({ name, detail }) => detail ?? name).join(' ')}</td>
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

const wordFor = ({ state, status }: HostLine): string => (state === 'up' ? (status ?? state) : state);

function Work({ list }: { readonly list: readonly ProgressLine[] }) {
  if (list.length === 0) return <Empty>Nobody rebuilds or migrates.</Empty>;
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
            <td class="number">{clock(work.at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Failures({ list }: { readonly list: readonly StreamRecord[] }) {
  if (list.length === 0) return <Empty>Nothing has failed.</Empty>;
  return (
    <table class="records">
      <Head columns={['Host', 'Type', 'About', 'By', '#At']} />
      <tbody>
        {list.map((record) => (
          <tr key={record.position}>
            <th scope="row">{record.host}</th>
            <td>
              <a href={linkTo('system', String(record.position))}>
                <Badge tone="bad">{record.eventType}</Badge>
              </a>
            </td>
            <td class="about">{record.subject}</td>
            <td>{[record.user, record.tenant].filter(Boolean).join(' @ ')}</td>
            <td class="number">{clock(record.recordedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
