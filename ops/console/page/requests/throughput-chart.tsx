import { duration, perSecond } from '../../model/format.js';
import { throughputLines } from '../../model/throughput-lines.js';
import { samples } from '../parts/live-state.js';

const box = { width: 900, height: 96 };

/** Requests and failures per second, and the latency of the slowest, in the last 90 seconds. */
export function ThroughputChart() {
  const last = samples.value.at(-1);
  const { requests, rejected, failed, slowest, mostPerSecond, mostMs } = throughputLines(samples.value, box);
  return (
    <figure class="throughput">
      <div class="plot">
        <div class="scale" aria-hidden="true">
          <span>{perSecond(mostPerSecond)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${box.width} ${box.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${perSecond(last?.requests ?? 0)} requests, ${perSecond(last?.rejected ?? 0)} rejected and ${perSecond(last?.failed ?? 0)} failures per second`}
        >
          <path
            class="grid"
            d={`M0 .5H${box.width}M0 ${box.height / 2}H${box.width}M0 ${box.height - 0.5}H${box.width}`}
          />
          <polyline class="rate" points={requests} />
          <polyline class="rejected" points={rejected} />
          <polyline class="failures" points={failed} />
          <polyline class="slowest" points={slowest} />
        </svg>
        <div class="scale" aria-hidden="true">
          <span>{duration(mostMs)}</span>
          <span>0</span>
        </div>
      </div>
      <figcaption>
        <span class="range">last 90 s</span>
        <span class="key">requests/s</span>
        <span class="key key-rejected">rejected/s</span>
        <span class="key key-failures">failures/s</span>
        <span class="key key-slowest">p99</span>
      </figcaption>
    </figure>
  );
}
