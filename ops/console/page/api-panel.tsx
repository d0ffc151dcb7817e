import { useEffect } from 'preact/hooks';
import type { Operation } from '../model/copy-request.js';
import { Card, Empty, Head } from './parts/components.js';
import { loadOperations, operations } from './parts/operations.js';

export function ApiPanel() {
  useEffect(() => void loadOperations(), []);
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
      <Head columns={['Method', 'Path', 'Operation', 'Summary']} />
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
