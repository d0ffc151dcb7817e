import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Card, Empty, Head } from './components.js';

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly id: string;
  readonly summary: string;
}

const operations = signal<readonly Operation[] | undefined>(undefined);

export function ApiPanel() {
  useEffect(() => void load(), []);
  const list = operations.value;
  return (
    <div class="column single">
      <Card
        title="API"
        hint="operations of this service"
        actions={
          <>
            <a class="link" href="docs">
              Interactive docs
            </a>
            <a class="link" href="graphql">
              GraphQL
            </a>
            <a class="link" href="openapi.json">
              openapi.json
            </a>
          </>
        }
      >
        <Operations list={list} />
      </Card>
    </div>
  );
}

function Operations({ list }: { readonly list: readonly Operation[] | undefined }) {
  if (list === undefined) return <Empty>Loading …</Empty>;
  if (list.length === 0) return <Empty>This service has no operations.</Empty>;
  return (
    <table>
      <Head columns={['Method', 'Path', 'Operation', 'Says']} />
      <tbody>
        {list.map(({ path, method, id, summary }) => (
          <tr key={`${method} ${path}`}>
            <td>
              <code class="method">{method.toUpperCase()}</code>
            </td>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td>{id}</td>
            <td class="about">{summary}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OpenApi {
  readonly paths?: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId?: string; readonly summary?: string }>>>
  >;
}

async function load(): Promise<void> {
  try {
    const response = await fetch(new URL('openapi.json', document.baseURI));
    const { paths = {} } = response.ok ? ((await response.json()) as OpenApi) : {};
    operations.value = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId = '', summary = '' }]) => ({
        path,
        method,
        id: operationId,
        summary,
      })),
    );
  } catch {
    operations.value = [];
  }
}
