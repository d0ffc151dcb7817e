import { useEffect, useRef } from 'preact/hooks';
import { stateKeyOf } from '../../model/request-path.js';
import { edgeKey } from '../../model/samples.js';
import { pathOf } from '../../model/edge-curve.js';
import type { Layout } from '../../model/statechart-layout.js';
import { flow, isStale } from '../parts/live-state.js';

const maxDots = 3;

/** Requests in motion: a few dots along each edge that was taken since the last update. */
export function MovingRequests({
  layout,
  isFailure,
}: {
  readonly layout: Layout;
  readonly isFailure: (event: string) => boolean;
}) {
  const { tick, edges } = flow.value;
  if (isStale.value || matchMedia('(prefers-reduced-motion: reduce)').matches) return null;
  return (
    <g class="moving" aria-hidden="true">
      {layout.edges.flatMap(({ edge, points }) => {
        const key = edgeKey({ from: stateKeyOf(edge.from), event: edge.event, to: stateKeyOf(edge.to) });
        const moved = Math.min(maxDots, edges.get(key) ?? 0);
        return Array.from({ length: moved }, (_, index) => (
          <Dot
            key={`${tick} ${key} ${index}`}
            path={pathOf(points)}
            bad={isFailure(edge.event)}
            after={index / moved}
          />
        ));
      })}
    </g>
  );
}

function Dot({ path, bad, after }: { readonly path: string; readonly bad: boolean; readonly after: number }) {
  const motion = useRef<SVGAnimateMotionElement>(null);
  const shown = useRef<SVGAnimateElement>(null);
  useEffect(() => {
    motion.current?.setAttribute('path', path);
    motion.current?.beginElementAt(after * 0.6);
    shown.current?.beginElementAt(after * 0.6);
  }, []);
  // The motion starts from its own position: anything but the origin would shift the whole path.
  return (
    <circle class={bad ? 'bad' : ''} r="3.2" cx="0" cy="0" opacity="0">
      <animateMotion ref={motion} dur="0.75s" begin="indefinite" fill="remove" />
      <animate
        ref={shown}
        attributeName="opacity"
        values="1;1"
        dur="0.75s"
        begin="indefinite"
        fill="remove"
      />
    </circle>
  );
}
