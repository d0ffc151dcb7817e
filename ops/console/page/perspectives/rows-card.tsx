import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isUuid } from '../../../../contracts/scalars.js';
import { counted, shortKey } from '../../model/format.js';
import type { PerspectiveRow, PerspectiveRows } from '../../model/perspectives.js';
import { read, reasonOf } from '../parts/api.js';
import { Card, Empty, Head, Time } from '../parts/components.js';
import { chosenHost, filters, isOffered, linkTo, linkToStream, setFilters } from '../parts/navigation.js';

const page = signal<PerspectiveRows | undefined>(undefined);
const failure = signal('');

/** The rows of a perspective as its readers see them, by key. */
export function RowsCard({ name }: { readonly name: string }) {
  const { tenant, key } = filters.value;
  useEffect(() => {
    page.value = undefined;
    const stop = new AbortController();
    void load(name, stop.signal);
    return () => stop.abort();
  }, [name, tenant, key, chosenHost.value]);
  const { rows = [], hasMore = false, isHidden = false, byStream = false } = page.value ?? {};
  const close = <a href={linkTo('perspectives', '', chosenHost.value, {})}>Close</a>;
  return (
    <Card title={`Rows of ${name}`} hint={page.value && shownText(page.value)} actions={close}>
      <div class="facets" role="group" aria-label="Filter rows">
        <Filter name="key" label="Key begins with" />
        <Filter name="tenant" label="Tenant" />
      </div>
      {isHidden && <p class="asks">Its events have sensitive fields: a row is shown with its stream.</p>}
      {failure.value !== '' && <Empty>{failure.value}</Empty>}
      {failure.value === '' && rows.length === 0 && (
        <Empty>{page.value === undefined ? 'Loading …' : 'No rows of this tenant match.'}</Empty>
      )}
      {rows.length > 0 && (
        <table>
          <Head columns={['Key', 'Row', '#Position', '#Updated']} />
          <tbody>
            {rows.map((row) => (
              <Row key={row.key} row={row} byStream={byStream} />
            ))}
          </tbody>
        </table>
      )}
      {hasMore && (
        <button type="button" class="more" onClick={() => void load(name, undefined, rows.at(-1)?.key)}>
          Load more rows
        </button>
      )}
    </Card>
  );
}

const shownText = ({ rows, hasMore }: PerspectiveRows): string =>
  `${hasMore ? 'the first ' : ''}${counted(rows.length, 'row')}, by key`;

async function load(name: string, stop?: AbortSignal, after?: string): Promise<void> {
  const { tenant, key } = filters.value;
  try {
    const query = { tenant, key, after, limit: '50' };
    const found = await read<PerspectiveRows>(`perspectives/${encodeURIComponent(name)}/rows`, query, stop);
    const before = after === undefined ? [] : (page.value?.rows ?? []);
    page.value = { ...found, rows: [...before, ...found.rows] };
    failure.value = '';
  } catch (error) {
    if (stop?.aborted !== true) failure.value = reasonOf(error);
  }
}

const Filter = ({ name, label }: { readonly name: 'key' | 'tenant'; readonly label: string }) => (
  <input
    type="search"
    placeholder={label}
    aria-label={label}
    autocomplete="off"
    maxLength={200}
    value={filters.value[name] ?? ''}
    onInput={(event) => setFilters({ ...filters.value, [name]: event.currentTarget.value })}
  />
);

const longestLine = 64;

function Row({ row: { key, row, position, updatedAt }, byStream }: RowProps) {
  const text = row === undefined ? '' : JSON.stringify(row);
  return (
    <tr>
      <th scope="row">
        <code>
          {byStream && isUuid(key) && isOffered('stream') ? (
            <a href={linkToStream(key)}>{key}</a>
          ) : (
            shortKey(key)
          )}
        </code>
      </th>
      <td class="about">
        {text === '' ? (
          'hidden'
        ) : (
          <details>
            <summary>
              <code>{text.length > longestLine ? `${text.slice(0, longestLine)} …` : text}</code>
            </summary>
            <pre tabIndex={0}>{JSON.stringify(row, null, 2)}</pre>
          </details>
        )}
      </td>
      <td class="number">{position}</td>
      <td class="number">
        <Time at={updatedAt} />
      </td>
    </tr>
  );
}

interface RowProps {
  readonly row: PerspectiveRow;
  readonly byStream: boolean;
}
