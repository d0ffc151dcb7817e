import type { RequestDetail, SequenceStep } from '../model/requests.js';
import { messagesUntil } from '../model/request-replay.js';
import { duration } from '../model/format.js';
import { ArrowMarkers } from './arrow-markers.js';
import { ScrollingChart } from './scrolling-chart.js';
import { actorsIn, lifelinesOf, stepsOf } from '../model/sequence-diagram.js';

const row = 30;
const top = 58;
const timeWidth = 105;

/** The messages between the actors of a request, over time. */
export function SequenceView({
  request,
  step: replayed,
}: {
  readonly request: RequestDetail;
  readonly step?: number | undefined;
}) {
  const steps = request.steps.length > 0 ? request.steps : stepsOf(request);
  const until = replayed === undefined ? steps.length : messagesUntil(steps, replayed);
  const actors = actorsIn(steps);
  const lifelines = lifelinesOf(actors);
  const last = lifelines.at(-1);
  const width = (last === undefined ? 0 : last.x + last.width / 2) + timeWidth;
  const height = top + row * steps.length + 12;
  const xOf = (actor: string) => lifelines[actors.indexOf(actor)]?.x ?? 0;
  return (
    <ScrollingChart
      title="Sequence"
      label={`${steps.length} messages between ${actors.join(', ')}`}
      className="sequence"
      box={{ width, height }}
    >
      <ArrowMarkers id="tip" tones={['way', 'bad']} />
      {lifelines.map(({ actor, label, x, width: box }) => (
        <g key={actor} class="actor">
          {label === actor ? undefined : <title>{actor}</title>}
          <line x1={x} x2={x} y1={38} y2={height - 4} />
          <rect x={x - box / 2} y={8} width={box} height={28} rx={8} />
          <text x={x} y={27}>
            {label}
          </text>
        </g>
      ))}
      {steps.map((step, index) => (
        <Step
          key={index}
          step={step}
          y={top + row * index + 8}
          xOf={xOf}
          right={width - 12}
          isLater={index >= until}
        />
      ))}
    </ScrollingChart>
  );
}

function Step({
  step: { from, to, message, failed = false, atMs },
  y,
  xOf,
  right,
  isLater,
}: {
  readonly step: SequenceStep;
  readonly y: number;
  readonly xOf: (actor: string) => number;
  readonly right: number;
  readonly isLater: boolean;
}) {
  const tone = failed ? 'bad' : '';
  const [start, end] = [xOf(from), xOf(to)];
  const forward = end > start ? 1 : -1;
  return (
    <g class={`step ${tone} ${isLater ? 'later' : ''}`}>
      {from === to ? (
        <g class={`came stage-${message}`}>
          <rect x={start - 52} y={y - 11} width={104} height={22} rx={11} />
          <text x={start} y={y + 4}>
            {message}
          </text>
        </g>
      ) : (
        <>
          <line
            x1={start + 3 * forward}
            x2={end - 3 * forward}
            y1={y}
            y2={y}
            marker-end={`url(#tip${failed ? 'bad' : 'way'})`}
          />
          <text x={(start + end) / 2} y={y - 6}>
            {message}
          </text>
        </>
      )}
      <text class="time" x={right} y={y + 4}>
        {duration(atMs)}
      </text>
    </g>
  );
}
