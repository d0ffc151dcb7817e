import type { ComponentChildren } from 'preact';

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
  children,
}: {
  readonly title: string;
  /** Describes the drawing to a screen reader. */
  readonly label: string;
  readonly className: string;
  readonly box: ChartBox;
  readonly leastWidth?: number;
  readonly children: ComponentChildren;
}) {
  const size = leastWidth === undefined ? { width, height } : { style: { minWidth: `${leastWidth}px` } };
  return (
    <div class="chart-scroll" role="group" aria-label={title} tabIndex={0}>
      <svg class={className} viewBox={`${x} ${y} ${width} ${height}`} {...size} role="img" aria-label={label}>
        {children}
      </svg>
    </div>
  );
}
