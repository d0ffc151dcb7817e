import type { ActorNode } from '../model/actor-node.js';
import { ago, count } from '../model/format.js';
import { actors, now } from './parts/live-state.js';
import { Badge, Card, Empty, Head, toneOf } from './parts/components.js';

export function ActorsPanel() {
  const tree = actors.value;
  return (
    <div class="column single">
      <Card title="Actors" hint="actors of this host, in start order">
        {tree === undefined || tree.length === 0 ? (
          <Empty>No actors reported.</Empty>
        ) : (
          <table class="tree">
            <Head columns={['Actor', 'State', 'Mailbox', '#Restarts', '#For', 'Last error']} />
            <tbody>
              {flat(tree).map(({ node, depth, path }) => (
                <Row key={path} node={node} depth={depth} />
              ))}
            </tbody>
          </table>
        )}
      </Card>
    </div>
  );
}

interface Line {
  readonly node: ActorNode;
  readonly depth: number;
  readonly path: string;
}

const flat = (nodes: readonly ActorNode[], depth = 0, above = ''): Line[] =>
  nodes.flatMap((node) => {
    const path = `${above}/${node.name}`;
    return [{ node, depth, path }, ...flat(node.children ?? [], depth + 1, path)];
  });

function Row({ node, depth }: { readonly node: ActorNode; readonly depth: number }) {
  const { name, state, restarts, since, lastError, mailbox } = node;
  return (
    <tr>
      <th scope="row" class={`depth-${Math.min(depth, 4)}`}>
        {name}
      </th>
      <td>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td>
        {mailbox !== undefined && (
          <>
            <meter
              min={0}
              max={mailbox.limit}
              high={mailbox.limit * 0.8}
              value={mailbox.depth}
              aria-label={`Mailbox of ${name}`}
            />
            <span class="share">{`${count(mailbox.depth)} / ${count(mailbox.limit)}`}</span>
          </>
        )}
      </td>
      <td class={`number ${(restarts ?? 0) > 0 ? 'warn' : ''}`}>
        {restarts === undefined ? '' : count(restarts)}
      </td>
      <td class="number">{ago(since, now.value)}</td>
      <td class="about">{lastError ?? ''}</td>
    </tr>
  );
}
