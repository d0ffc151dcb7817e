import { useEffect, useState } from 'preact/hooks';
import type { RecordDetail } from '../model/system-records.js';
import { read, reasonOf } from './api.js';
import { Card, Empty } from './components.js';
import { chosenHost, linkTo, navigate, offeredPanels } from './navigation.js';

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
      <dl class="facts">
        <dt>Recorded</dt>
        <dd>{record.recordedAt}</dd>
        {record.correlationId !== undefined && <dt>Request</dt>}
        {record.correlationId !== undefined && (
          <dd>
            {hasRequests() ? (
              <a href={linkTo('lifecycle', '', chosenHost.value, { q: record.correlationId })}>
                {record.correlationId}
              </a>
            ) : (
              record.correlationId
            )}
          </dd>
        )}
        <dt>Host</dt>
        <dd>{record.host}</dd>
        <dt>Event id</dt>
        <dd>
          <code>{record.eventId}</code>
        </dd>
        <dt>Hash</dt>
        <dd>
          <code>{record.hash}</code>
        </dd>
      </dl>
      <h3>Data</h3>
      <pre tabIndex={0}>{JSON.stringify(record.data, null, 2)}</pre>
      <h3>Metadata</h3>
      <pre tabIndex={0}>{JSON.stringify(record.metadata, null, 2)}</pre>
    </Card>
  );
}

const hasRequests = (): boolean => offeredPanels.value.some(([name]) => name === 'lifecycle');
