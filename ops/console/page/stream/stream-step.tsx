import { useEffect, useState } from 'preact/hooks';
import { clock, count } from '../../model/format.js';
import { changedPaths, diffLines } from '../../model/row-diff.js';
import type { RowStep, StreamEvents, StreamStep } from '../../model/streams.js';
import { read, reasonOf } from '../parts/api.js';
import { Badge, Card, Empty, Facts } from '../parts/components.js';
import { RequestLink } from '../parts/request-link.js';
import { chosenHost, linkToStream } from '../parts/navigation.js';

interface Loaded {
  readonly step?: StreamStep;
  readonly failure?: string;
}

/** One event of a stream, and each row before and after it. */
export function StreamStepView({
  stream: { streamId, last },
  position,
}: {
  readonly stream: StreamEvents;
  readonly position: number;
}) {
  const { step, failure } = useStep(streamId, position);
  useArrowKeys(streamId, position, last);
  return (
    <>
      <Travel streamId={streamId} position={position} last={last} />
      {failure !== undefined && <Empty>{failure}</Empty>}
      {step !== undefined && <EventCard step={step} />}
      {step?.withoutRows !== undefined && <Empty>{step.withoutRows}</Empty>}
      {step?.rows.length === 0 && step.withoutRows === undefined && (
        <Empty>No perspective of this service has a row for this stream.</Empty>
      )}
      {step?.rows.map((row) => (
        <RowCard key={`${row.perspective} ${row.key}`} row={row} />
      ))}
    </>
  );
}

/** The step before stays until the next one is there, so that moving does not flicker. */
function useStep(streamId: string, position: number): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({});
  useEffect(() => {
    const stop = new AbortController();
    read<StreamStep>(`streams/${encodeURIComponent(streamId)}/${position}`, {}, stop.signal).then(
      (step) => setLoaded({ step }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ failure: reasonOf(error) });
      },
    );
    return () => stop.abort();
  }, [streamId, position, chosenHost.value]);
  return loaded;
}

function useArrowKeys(streamId: string, position: number, last: number): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || target instanceof HTMLInputElement) return;
      const to = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 1, End: last }[key];
      if (to === undefined || to < 1 || to > last) return;
      event.preventDefault();
      moveTo(streamId, to);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [streamId, position, last]);
}

/** Moving makes no history: one step back leaves the stream. */
const moveTo = (streamId: string, position: number): void =>
  location.replace(linkToStream(streamId, position));

function Travel({
  streamId,
  position,
  last,
}: {
  readonly streamId: string;
  readonly position: number;
  readonly last: number;
}) {
  const step = (label: string, to: number, sign: string) => (
    <button
      type="button"
      class="plain icon"
      aria-label={label}
      title={label}
      disabled={to < 1 || to > last || to === position}
      onClick={() => moveTo(streamId, to)}
    >
      {sign}
    </button>
  );
  return (
    <Card title="Stream" hint={<code>{streamId}</code>} className="travel">
      <div class="travel-bar">
        {step('First event', 1, '⇤')}
        {step('Previous event', position - 1, '←')}
        <input
          type="range"
          min={1}
          max={last}
          value={position}
          aria-label="Event of the stream"
          aria-valuetext={`Event ${position} of ${last}`}
          onInput={(event) => moveTo(streamId, Number(event.currentTarget.value))}
        />
        {step('Next event', position + 1, '→')}
        {step('Last event', last, '⇥')}
        <output aria-live="polite">
          {count(position)} of {count(last)}
        </output>
      </div>
    </Card>
  );
}

function EventCard({ step }: { readonly step: StreamStep }) {
  const { eventType, position, occurredAt, recordedAt, host, user, correlationId, payload } = step;
  const isShownTogether = occurredAt.slice(0, 19) === recordedAt.slice(0, 19);
  return (
    <Card title={eventType} hint={`event ${count(position)} · ${clock(occurredAt, 'dated')}`}>
      <div class="pair event">
        <pre tabIndex={0} aria-label="Content of the event">
          {JSON.stringify(payload, null, 2)}
        </pre>
        <Facts
          of={{
            Recorded: isShownTogether ? undefined : clock(recordedAt, 'dated'),
            Host: host,
            User: user,
            Log: count(step.globalPosition),
            Request: correlationId && <RequestLink id={correlationId} />,
          }}
        />
      </div>
    </Card>
  );
}

function RowCard({ row }: { readonly row: RowStep }) {
  const { perspective, key, before, after, isPartial, failure } = row;
  const lines = diffLines(before, after);
  const hint = (
    <>
      <Badge tone={failure === undefined ? 'info' : 'bad'}>{changeText(row, changedPaths(lines))}</Badge>
      {isPartial && ` row ${key}, from the events of this stream only`}
    </>
  );
  return (
    <Card title={perspective} hint={hint} className="row-card">
      {failure !== undefined && <p class="failure">{failure}</p>}
      {lines.length === 0 ? (
        <Empty>There is no row.</Empty>
      ) : (
        <pre tabIndex={0} aria-label={`Row of ${perspective}`}>
          {lines.map(({ path, depth, text, change }, index) => (
            <span key={`${path} ${index}`} class={`diff ${change}`}>
              <span class="sr">{change === 'same' ? '' : `${change}: `}</span>
              {`${'  '.repeat(depth)}${text}\n`}
            </span>
          ))}
        </pre>
      )}
    </Card>
  );
}

function changeText({ before, after, failure }: RowStep, changed: number): string {
  if (failure !== undefined) return 'not folded';
  if (before === null) return after === null ? 'no row' : 'new row';
  if (after === null) return 'row deleted';
  return changed === 0 ? 'unchanged' : `${count(changed)} changed`;
}
