import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Sample } from '../model/samples.js';
import { duration, perSecond } from '../model/format.js';
import { samples } from './live-state.js';
import { theme } from './theme.js';

const height = 132;
const shownSeconds = 90;
const onTheRight = { side: 1 } as unknown as Pick<UPlot.Axis, 'side'>;

/** Requests and failures per second, and the latency of the slowest. */
export function ThroughputChart() {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const data = samples.value;
  const colorTheme = theme.value;
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const made = new UPlot(optionsFor(current), seriesOf(samples.peek()), current);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: current.clientWidth, height }));
    resized.observe(current);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [colorTheme]);
  useEffect(() => plot.current?.setData(seriesOf(data)), [data]);
  const last = data.at(-1);
  return (
    <figure class="throughput">
      <div
        ref={box}
        role="img"
        aria-label={`${perSecond(last?.requests ?? 0)} requests, ${perSecond(last?.rejected ?? 0)} rejected and ${perSecond(last?.failed ?? 0)} failures per second`}
      />
      <figcaption>
        <span class="key">requests/s</span>
        <span class="key key-rejected">rejected/s</span>
        <span class="key key-failures">failures/s</span>
        <span class="key key-slowest">p99, ms</span>
      </figcaption>
    </figure>
  );
}

function seriesOf(all: readonly Sample[]): UPlot.AlignedData {
  return [
    all.map(({ at }) => at / 1000),
    all.map(({ requests }) => requests),
    all.map(({ rejected }) => rejected),
    all.map(({ failed }) => failed),
    all.map(({ p99Ms }) => p99Ms ?? null),
  ];
}

function optionsFor(box: HTMLElement): UPlot.Options {
  const style = getComputedStyle(box);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.fontFamily}`;
  const grid = { stroke: color('line'), width: 1 };
  const axis = { stroke: color('soft'), font, grid, ticks: { show: false } };
  return {
    width: box.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_, __, last) => lastSeconds(last) },
      y: { range: (_, __, most) => [0, Math.max(5, most * 1.15)] },
      ms: { range: (_, __, most) => [0, Math.max(10, (most ?? 10) * 1.15)] },
    },
    axes: [
      { ...axis, size: 24, space: 70, incrs: [5, 10, 15, 30, 60], values: (_, ticks) => ticks.map(clockOf) },
      { ...axis, size: 44, space: 34 },
      {
        ...axis,
        scale: 'ms',
        ...onTheRight,
        size: 54,
        space: 34,
        grid: { show: false },
        values: (_, ticks) => ticks.map((ms) => (ms === 0 ? '0' : duration(ms))),
      },
    ],
    series: [
      {},
      { stroke: color('blue'), width: 1.75, fill: color('blue-wash'), points: { show: false } },
      { stroke: color('rose'), width: 1.5, points: { show: false } },
      { stroke: color('red'), width: 1.5, points: { show: false } },
      {
        stroke: color('amber'),
        width: 1.25,
        dash: [4, 4],
        scale: 'ms',
        points: { show: false },
        spanGaps: true,
      },
    ],
  };
}

/** Before the first sample there is no last one. */
function lastSeconds(last: number | null): [number, number] {
  const end = last || Date.now() / 1000;
  return [end - shownSeconds, end];
}

const clockOf = (seconds: number): string => new Date(seconds * 1000).toLocaleTimeString('en-GB');
