import { count, counted as countedText } from '../../model/format.js';
import { entrySize, type PlacedEntry } from '../../model/request-entry.js';

/** An edge before the first state: requests that were answered without a lifecycle. */
export function RequestEntry({
  entry: { outcome, count: counted, x, y, path },
  taken,
}: {
  readonly entry: PlacedEntry;
  readonly taken: boolean | undefined;
}) {
  const { width, height } = entrySize;
  const tone = taken === true ? 'way' : outcome === 'rejected' ? 'bad' : '';
  const isFaded = taken === false || (taken === undefined && counted === 0);
  const passed = taken === undefined ? '' : taken ? 'passed' : 'faded';
  return (
    <g data-entry={outcome} data-count={counted}>
      <title>{`${outcome} before the lifecycle began: ${countedText(counted, 'request')}`}</title>
      <g class={`edge ${tone} ${isFaded ? 'faded' : ''}`}>
        <path d={path} stroke-width={counted === 0 ? 1 : 1.8} marker-end={`url(#arrow${tone})`} />
      </g>
      <g class={`entry stage-${outcome} ${passed}`}>
        <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx="22" />
        <text class="name" x={x} y={taken === undefined ? y - 2 : y + 5}>
          {outcome}
        </text>
        {taken === undefined && (
          <text class="total" x={x} y={y + 14}>
            {count(counted)}
          </text>
        )}
      </g>
    </g>
  );
}
