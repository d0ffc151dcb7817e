import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count, counted, shortId } from '../../model/format.js';
import type { StreamEvent, StreamEvents, StreamItem } from '../../model/streams.js';
import { read, reasonOf } from '../parts/api.js';
import { Empty, Time } from '../parts/components.js';
import { requests } from '../parts/live-state.js';
import { chosenHost, linkToStream, openItem, openPosition } from '../parts/navigation.js';
import { StreamStepView } from './stream-step.js';

const latest = signal<readonly StreamItem[]>([]);
const opened = signal<StreamEvents | undefined>(undefined);
const failure = signal('');

/** Moves through the events of a stream: what each of them was, and what it did to the rows of perspectives. */
export function StreamPanel() {
  const streamId = openItem.value;
  const isEmpty = streamId === '';
  useEffect(() => void (isEmpty ? loadLatest() : loadEvents(streamId)), [streamId, chosenHost.value]);
  // While the list is looked at, it follows the traffic.
  useEffect(() => void (isEmpty && loadLatest()), [requests.value]);
  const stream = opened.value?.streamId === streamId ? opened.value : undefined;
  const position = positionIn(stream);
  return (
    <div class="split">
      <aside class="requests streams" aria-label={isEmpty ? 'Streams' : 'Events'}>
        <FindStream />
        {isEmpty ? <LatestStreams /> : stream !== undefined && <Events stream={stream} position={position} />}
      </aside>
      <div class="column detail">
        {failure.value !== '' && <Empty>{failure.value}</Empty>}
        {isEmpty && (
          <Empty>Select a stream, or enter its id, to move through its events and see its rows change.</Empty>
        )}
        {stream !== undefined && <StreamStepView stream={stream} position={position} />}
      </div>
    </div>
  );
}

/** Without a position in the URL, the last event is shown. */
function positionIn(stream: StreamEvents | undefined): number {
  const given = Number(openPosition.value);
  const last = stream?.last ?? 0;
  return Number.isInteger(given) && given >= 1 && given <= last ? given : last;
}

async function loadLatest(): Promise<void> {
  await load(async () => {
    latest.value = await read<StreamItem[]>('streams');
  });
}

const loadEvents = (streamId: string): Promise<void> =>
  load(async () => {
    if (opened.value?.streamId !== streamId) opened.value = undefined;
    opened.value = await read<StreamEvents>(`streams/${encodeURIComponent(streamId)}`);
  });

/** The next part of a long stream. */
const loadMore = ({ streamId, events }: StreamEvents): Promise<void> =>
  load(async () => {
    const after = String(events.at(-1)?.position ?? 0);
    const more = await read<StreamEvents>(`streams/${encodeURIComponent(streamId)}`, { after });
    if (opened.value?.streamId === streamId) opened.value = { ...more, events: [...events, ...more.events] };
  });

async function load(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    failure.value = '';
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

function FindStream() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('stream');
    if (typeof given === 'string') location.hash = linkToStream(given.trim());
  };
  return (
    <form class="bar" role="search" onSubmit={submit} key={openItem.value}>
      <input
        name="stream"
        type="search"
        aria-label="Stream id"
        placeholder="Stream id"
        autocomplete="off"
        maxLength={100}
        defaultValue={openItem.value}
      />
      <button type="submit" class="plain">
        Open
      </button>
    </form>
  );
}

function LatestStreams() {
  if (latest.value.length === 0) return <Empty>No events are stored yet.</Empty>;
  return (
    <>
      <ul>
        {latest.value.map(({ streamId, eventType, position, recordedAt }) => (
          <li key={streamId}>
            <a href={linkToStream(streamId)}>
              <span class="place">{position}</span>
              <span class="command">{eventType}</span>
              <span class="about">
                <Time at={recordedAt} />
                <span class="id">{shortId(streamId)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p class="shown">Streams with the newest events.</p>
    </>
  );
}

function Events({ stream, position }: { readonly stream: StreamEvents; readonly position: number }) {
  const { streamId, events, last } = stream;
  useEffect(() => {
    document.querySelector('.streams [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [position]);
  return (
    <>
      <ul>
        {events.map((event) => (
          <EventLine
            key={event.position}
            streamId={streamId}
            event={event}
            isOpen={event.position === position}
          />
        ))}
      </ul>
      {events.length < last && (
        <button type="button" class="more" onClick={() => void loadMore(stream)}>
          Load more events
        </button>
      )}
      <p class="shown">
        {events.length < last
          ? `The first ${count(events.length)} of ${counted(last, 'event')}.`
          : `${counted(last, 'event')}.`}{' '}
        <a href={linkToStream('')}>Other streams</a>
      </p>
    </>
  );
}

function EventLine({
  streamId,
  event: { position, eventType, occurredAt, user },
  isOpen,
}: {
  readonly streamId: string;
  readonly event: StreamEvent;
  readonly isOpen: boolean;
}) {
  return (
    <li>
      <a href={linkToStream(streamId, position)} aria-current={isOpen ? 'true' : undefined}>
        <span class="place">{position}</span>
        <span class="command">{eventType}</span>
        <span class="about">
          <Time at={occurredAt} />
          {user !== undefined && <span class="id">{user}</span>}
        </span>
      </a>
    </li>
  );
}
