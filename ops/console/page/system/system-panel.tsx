import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { ChainFigures, StreamRecord, SystemPage } from '../../model/system-records.js';
import { counted, shortId } from '../../model/format.js';
import { act, read, reasonOf } from '../parts/api.js';
import { hostInfo, head, records } from '../parts/live-state.js';
import { Badge, Card, Empty, Head, Time } from '../parts/components.js';
import { Facets } from './facets.js';
import { RecordView } from './record-view.js';
import { Subject } from '../parts/subject.js';
import { chosenHost, filters, linkTo, openItem, setFilters } from '../parts/navigation.js';

const fields = [
  ...['type', 'user', 'tenant', 'correlation', 'host-name', 'stream', 'status', 'since', 'until'],
] as const;
const labels: Readonly<Record<string, string>> = { 'host-name': 'host' };
const examples: Readonly<Record<string, string>> = {
  status: 'failed or succeeded',
  since: '2026-01-31T10:30',
  until: '2026-01-31T11:00',
};
const page = signal<SystemPage>({ records: [], before: undefined });
const failure = signal('');

/** The system stream as it grows, or the records that match a filter. */
export function SystemPanel() {
  useEffect(() => void load(), [JSON.stringify(filters.value), chosenHost.value]);
  return (
    <div class="split wide-right">
      <div class="column">
        <Card title="System stream" hint={hintOf(head.value)} actions={<Chain key={chosenHost.value} />}>
          <Filters />
          <Facets wanted={wantedRecords()} />
          {failure.value === '' ? <Records list={listed()} /> : <Empty>{failure.value}</Empty>}
          {page.value.before !== undefined && (
            <button type="button" class="more" onClick={() => void load(page.value.before)}>
              Load older records
            </button>
          )}
        </Card>
      </div>
      <RecordView position={openItem.value} />
    </div>
  );
}

const hintOf = (position: number | undefined): string =>
  position === undefined ? 'append-only, hash-chained' : `${counted(position, 'record')}, hash-chained`;

/** Records that arrived after loading are listed first. */
function listed(): readonly StreamRecord[] {
  const loaded = page.value.records;
  const newest = loaded[0]?.position ?? 0;
  const { type, user, tenant, correlation, stream, status, since, until } = filters.value;
  // The host decides about these; what arrives meanwhile is there when the page is loaded again.
  if ([stream, status, since, until].some(Boolean)) return loaded;
  const fits = (record: StreamRecord) =>
    contains(record.eventType, type) &&
    contains(record.user, user) &&
    contains(record.tenant, tenant) &&
    contains(record.host, filters.value['host-name']) &&
    contains(record.correlationId, correlation);
  return [...records.value.filter((record) => record.position > newest && fits(record)), ...loaded];
}

/** As the host searches. */
const contains = (value: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || (value?.toLowerCase().includes(wanted.toLowerCase()) ?? false);

let latest = 0;

async function load(before?: number): Promise<void> {
  const asked = ++latest;
  try {
    const query = {
      ...wantedRecords(),
      limit: '50',
      ...(before === undefined ? {} : { before: String(before) }),
    };
    const older = await read<SystemPage>('system', query);
    // A slow answer to an earlier filter must not replace that to a later one.
    if (asked !== latest) return;
    failure.value = '';
    page.value =
      before === undefined ? older : { ...older, records: [...page.value.records, ...older.records] };
  } catch (error) {
    if (asked === latest) failure.value = reasonOf(error);
  }
}

const wantedRecords = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(fields.map((name) => [name, filters.value[name]]));

function Filters() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    setFilters(Object.fromEntries(fields.map((name) => [name, textOf(given.get(name))])));
  };
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filter the stream"
      onSubmit={submit}
      key={JSON.stringify(filters.value)}
    >
      {fields.map((name) => (
        <label key={name}>
          <span>{labels[name] ?? name}</span>
          <input
            name={name}
            defaultValue={filters.value[name] ?? ''}
            maxLength={200}
            autocomplete="off"
            placeholder={examples[name] ?? ''}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        Filter
      </button>
      <button type="button" class="plain" onClick={() => setFilters({})}>
        Clear
      </button>
    </form>
  );
}

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value.trim() : '');

function Records({ list }: { readonly list: readonly StreamRecord[] }) {
  if (list.length === 0) return <Empty>No records match.</Empty>;
  const ofMany = isOfMany();
  const columns = ['Type', 'About', 'By', 'Correlation', '#Recorded'];
  return (
    <table class="records">
      <Head columns={ofMany ? ['#Number', 'Host', ...columns] : ['#Position', ...columns]} />
      <tbody>
        {list.map((record) => (
          <tr
            key={record.position}
            aria-current={openItem.value === String(record.position) ? 'true' : undefined}
          >
            <td class="number">
              <a href={linkTo('system', String(record.position))}>{record.position}</a>
            </td>
            {ofMany && <td>{record.host}</td>}
            <td>
              <Badge tone={toneOfType(record.eventType)}>{record.eventType}</Badge>
            </td>
            <td class="about">
              <Subject text={record.subject} />
            </td>
            <td>{[record.user, record.tenant].filter(Boolean).join(' @ ')}</td>
            <td>
              <Correlation id={record.correlationId} />
            </td>
            <td class="number">
              <Time at={record.recordedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A monitor shows the records of all hosts together, in order of arrival. */
const isOfMany = (): boolean => hostInfo.value?.panels?.includes('overview') === true;

function Correlation({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <button type="button" class="link code" title={id} onClick={() => setFilters({ correlation: id })}>
      <span class="sr">Show correlation </span>
      {shortId(id)}
    </button>
  );
}

function toneOfType(type: string): string {
  if (/Failed|DeadLettered|Denied|Error/.test(type)) return 'bad';
  return /Audited$/.test(type) ? '' : 'info';
}

function Chain() {
  const [report, setReport] = useState<ChainFigures | undefined>(undefined);
  const [notice, setNotice] = useState('');
  const verify = async () => {
    setNotice('Verifying …');
    try {
      setReport(await act<ChainFigures>('system/verify'));
      setNotice('');
    } catch (error) {
      setNotice(reasonOf(error));
    }
  };
  return (
    <>
      <span role="status" class="chain">
        {notice}
        {notice === '' && report !== undefined && (
          <Badge tone={report.ok ? 'good' : 'bad'}>{chainText(report)}</Badge>
        )}
      </span>
      <button type="button" class="plain" onClick={() => void verify()}>
        Verify chain
      </button>
    </>
  );
}

function chainText({
  ok,
  chains,
  store,
  records: number,
  head: { hash },
  firstBroken,
}: ChainFigures): string {
  if (!ok) return `Chain${store === undefined ? '' : ` of ${shortId(store)}`} broken at ${firstBroken ?? ''}`;
  if (chains === undefined) return `Chain intact · ${counted(number, 'record')} · ${hash.slice(0, 10)}`;
  return `${chains === 1 ? '1 chain intact' : `All ${chains} chains intact`} · ${counted(number, 'record')}`;
}
