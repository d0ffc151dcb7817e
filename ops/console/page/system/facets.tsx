import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count } from '../../model/format.js';
import type { SystemFacets } from '../../model/system-records.js';
import { read } from '../parts/api.js';
import { chosenHost, filters, setFilters } from '../parts/navigation.js';

const facets = signal<SystemFacets | undefined>(undefined);
/** The filter that a value of a facet sets; `host` in the URL selects a host of the page. */
const filterOf = { type: 'type', host: 'host-name', user: 'user' } as const;

/** What the matching records consist of; each value narrows the search. */
export function Facets({ wanted }: { readonly wanted: Readonly<Record<string, string | undefined>> }) {
  useEffect(() => {
    const stop = new AbortController();
    read<SystemFacets>('system-facets', wanted, stop.signal).then(
      (found) => (facets.value = found),
      () => undefined,
    );
    return () => stop.abort();
  }, [JSON.stringify(wanted), chosenHost.value]);
  const found = facets.value;
  if (found === undefined || found.values.length === 0) return null;
  return (
    <div class="facets" role="group" aria-label={`Values among the newest ${count(found.examined)} records`}>
      {found.values.map(({ facet, value, count: counted }) => {
        const name = filterOf[facet];
        const isChosen = filters.value[name] === value;
        return (
          <button
            key={`${facet} ${value}`}
            type="button"
            class="chip"
            aria-pressed={isChosen}
            title={`${facet} ${value}`}
            onClick={() => setFilters({ ...filters.value, [name]: isChosen ? '' : value })}
          >
            <span class="sr">{facet} </span>
            {value.length > 32 ? `${value.slice(0, 31)}…` : value} <b>{count(counted)}</b>
          </button>
        );
      })}
    </div>
  );
}
