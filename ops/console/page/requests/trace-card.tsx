import { useEffect, useState } from 'preact/hooks';
import { counted, duration } from '../../model/format.js';
import type { RequestDetail, RequestItem } from '../../model/requests.js';
import { waterfallOf } from '../../model/waterfall.js';
import { read } from '../parts/api.js';
import { Card } from '../parts/components.js';
import { linkTo } from '../parts/navigation.js';

/** All remembered requests of a trace, on whichever host, over one axis of time. */
export function TraceCard({ request }: { readonly request: RequestDetail }) {
  const { traceId } = request;
  const [found, setFound] = useState<readonly RequestItem[]>([]);
  useEffect(() => {
    setFound([]);
    if (traceId === undefined) return;
    const stop = new AbortController();
    read<RequestItem[]>('requests', { search: `id:${traceId}` }, stop.signal).then(setFound, () => undefined);
    return () => stop.abort();
  }, [traceId]);
  if (found.length < 2) return null;
  const { rows, totalMs } = waterfallOf(found);
  return (
    <Card title="Trace" hint={`${counted(found.length, 'request')} in ${duration(totalMs)}`}>
      <ol class="waterfall">
        {rows.map(({ request: one, parts, offsetMs }) => (
          <li key={one.id} aria-current={one.id === request.id ? 'true' : undefined}>
            <a href={linkTo('requests', one.id)}>{one.command}</a>
            <span class="id">{one.host ?? ''}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              {parts.map(({ state, x, width }) => (
                <rect key={state} class={`fill-${state}`} x={x} width={width} height="10" />
              ))}
            </svg>
            <span class="ms">
              +{duration(offsetMs)} · {duration(one.ms)}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
