import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ChartBox {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
}

/** A drawing that scrolls where the page is narrower; it shrinks only if a least width is given. */
export function ScrollingChart({
  title,
  label,
  className,
  box: { x = 0, y = 0, width, height },
  leastWidth,
  showing,
  children,
}: {
  readonly title: string;
  /** Describes the drawing to a screen reader. */
  readonly label: string;
  readonly className: string;
  readonly box: ChartBox;
  readonly leastWidth?: number;
  /** The state to scroll to, where the page is narrower. */
  readonly showing?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const size = leastWidth === undefined ? { width, height } : { style: { minWidth: `${leastWidth}px` } };
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const state = view.current?.querySelector(`[data-state="${CSS.escape(showing ?? '')}"]`);
    if (view.current && state) view.current.scrollLeft += middleOf(state) - middleOf(view.current);
  }, [showing]);
  return (
    <div ref={view} class="chart-scroll" role="group" aria-label={title} tabIndex={0}>
      <svg class={className} viewBox={`${x} ${y} ${width} ${height}`} {...size} role="img" aria-label={label}>
        {children}
      </svg>
    </div>
  );
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
