import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clock } from '../../model/format.js';

type Children = { readonly children?: ComponentChildren };

export function Card({
  title,
  hint,
  actions,
  children,
  className = '',
}: Children & {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly className?: string;
}) {
  const card = useKeyboardScrolling();
  return (
    <section ref={card} class={`card ${className}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p class="hint">{hint}</p>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </section>
  );
}

/** What is wider than its card can be scrolled with the keyboard too. */
function useKeyboardScrolling() {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const update = (): void => {
      const card = ref.current;
      if (card === null) return;
      if (card.scrollWidth > card.clientWidth) card.tabIndex = 0;
      else card.removeAttribute('tabindex');
    };
    const observer = new ResizeObserver(update);
    for (const one of [ref.current, ...(ref.current?.children ?? [])])
      if (one !== null) observer.observe(one);
    update();
    return () => observer.disconnect();
  });
  return ref;
}

/**
 * The header of a table; `#` before a name aligns its column to the right, a name in brackets is for screen readers
 * only.
 */
export const Head = ({ columns }: { readonly columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map((name) => (
        <th key={name} scope="col" class={name.startsWith('#') ? 'number' : ''}>
          {name.startsWith('(') ? <span class="sr">{name.slice(1, -1)}</span> : name.replace('#', '')}
        </th>
      ))}
    </tr>
  </thead>
);

/** Facts by their names; what is not known is left out. */
export const Facts = ({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts">
    {Object.entries(of)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);

/** A time; the date of today is in its tooltip. */
export const Time = ({ at }: { readonly at: string | null }) =>
  at === null ? (
    <>–</>
  ) : (
    <time dateTime={at} title={clock(at, 'dated')}>
      {clock(at)}
    </time>
  );

export const Empty = ({ children }: Children) => <p class="empty">{children}</p>;

export const Dot = ({ tone }: { readonly tone: string }) => <span class={`dot ${tone}`} aria-hidden="true" />;

export const Badge = ({ tone = '', children }: Children & { readonly tone?: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

export function Stat({
  name,
  value,
  tone = '',
}: {
  readonly name: string;
  readonly value: string;
  readonly tone?: string;
}) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd class={tone}>{value}</dd>
    </div>
  );
}

export function Progress({
  done,
  total,
  label,
}: {
  readonly done: number;
  readonly total: number;
  readonly label: string;
}) {
  return <progress value={done} max={Math.max(1, total)} aria-label={label} />;
}

const tones: readonly (readonly [tone: string, names: RegExp])[] = [
  ['good', /^(healthy|completed|running.*|live|relaying|idle|resting|replayed)$/i],
  [
    'warn',
    /^(degraded|recovered|parked|retrying|orphan|catchingUp|rebuilding|rewinding|replaying|starting|backingOff|clearing|stopping)$/i,
  ],
  ['bad', /^(unhealthy|failed.*|rejected|dead|crashed|silent|unreachable)$/i],
];

/** Green, amber, red or gray, by the name of a state. */
export const toneOf = (state: string): string => tones.find(([, names]) => names.test(state))?.[0] ?? 'quiet';
