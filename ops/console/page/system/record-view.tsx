import { useEffect, useState } from 'preact/hooks';
import type { RecordDetail } from '../../model/system-records.js';
import { clock } from '../../model/format.js';
import { read, reasonOf } from '../parts/api.js';
import { Card, Empty, Facts } from '../parts/components.js';
import { chosenHost, navigate } from '../parts/navigation.js';
import { RequestLink } from '../parts/request-link.js';

/** One record, whole. */
export function RecordView({ position }: { readonly position: string }) {
  const [record, setRecord] = useState<RecordDetail | undefined>(undefined);
  const [notice, setNotice] = useState('');
  useEffect(() => {
    setRecord(undefined);
    setNotice('');
    if (position === '') return;
    const stop = new AbortController();
    read<RecordDetail>(`system/${encodeURIComponent(position)}`, {}, stop.signal).then(
      (found) => {
        setRecord(found);
        requestAnimationFrame(() => document.querySelector('.record')?.scrollIntoView({ block: 'nearest' }));
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setNotice(reasonOf(error));
      },
    );
    return () => stop.abort();
  }, [position, chosenHost.value]);
  return (
    <div class="column record">
      {record === undefined ? (
        <Empty>{notice === '' ? 'Select a record to see its details.' : notice}</Empty>
      ) : (
        <RecordCard record={record} />
      )}
    </div>
  );
}

function RecordCard({ record }: { readonly record: RecordDetail }) {
  const close = (
    <button type="button" class="link" onClick={() => navigate('system')}>
      Close
    </button>
  );
  return (
    <Card title={record.eventType} hint={`at ${record.position}`} actions={close}>
      <Facts
        of={{
          Recorded: clock(record.recordedAt, 'dated'),
          Request: record.correlationId && <RequestLink id={record.correlationId} />,
          Host: record.host,
          'Event id': <code>{record.eventId}</code>,
          Hash: <code>{record.hash}</code>,
        }}
      />
      <h3>Data</h3>
      <pre tabIndex={0}>{JSON.stringify(record.data, null, 2)}</pre>
      <h3>Metadata</h3>
      <pre tabIndex={0}>{JSON.stringify(record.metadata, null, 2)}</pre>
    </Card>
  );
}
