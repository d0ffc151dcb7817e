import { signal } from '@preact/signals';
import { count, counted } from '../../model/format.js';
import { byCode, type FailedRequests } from '../../model/failed-requests.js';
import type { RequestItem } from '../../model/requests.js';
import { read } from '../parts/api.js';
import { Badge, Card, Head, Time } from '../parts/components.js';
import { chosenHost, linkTo } from '../parts/navigation.js';
import { useRepeatedly } from '../parts/repeated-read.js';

const groups = signal<readonly FailedRequests[]>([]);
const limit = '200';

/** Requests that were refused or failed, as far as they are remembered: by code, the most frequent first. */
export function FailuresCard() {
  useRepeatedly(
    async (stopped) => {
      const read4xxAnd5xx = ['status:4xx', 'status:5xx'].map((search) =>
        read<RequestItem[]>('requests', { search, limit }, stopped),
      );
      groups.value = await Promise.all(read4xxAnd5xx).then(
        (found) => byCode(found.flat()),
        () => groups.value,
      );
    },
    [chosenHost.value],
  );
  if (groups.value.length === 0) return null;
  return (
    <Card title="Failures" hint="by code, among remembered requests">
      <table>
        <Head columns={['#Status', 'Code', '#Requests', 'Commands', '#Latest']} />
        <tbody>
          {groups.value.map((group) => (
            <Row key={`${group.status} ${group.code}`} group={group} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const Row = ({ group: { status, code, commands, ...of } }: { readonly group: FailedRequests }) => (
  <tr>
    <td class="number">
      <Badge tone={status >= 500 ? 'bad' : 'warn'}>{status}</Badge>
    </td>
    <th scope="row">
      <a href={linkTo('requests', '', chosenHost.value, { q: `status:${status} error:${code}` })}>{code}</a>
    </th>
    <td class="number">{count(of.count)}</td>
    <td class="about">{commands.length > 3 ? counted(commands.length, 'command') : commands.join(', ')}</td>
    <td class="number">
      <Time at={of.latest} />
    </td>
  </tr>
);
