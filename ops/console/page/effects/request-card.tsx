import { useEffect, useState } from 'preact/hooks';
import type { ShownEffect } from '../../../../runtime/effects/effect-lists.js';
import { read, reasonOf } from '../parts/api.js';
import { Badge, Card, Empty, Facts, Head, Time, toneOf } from '../parts/components.js';
import { chosenHost } from '../parts/navigation.js';
import { useRepeatedly } from '../parts/repeated-read.js';
import { RequestLink } from '../parts/request-link.js';
import { dueText } from '../processes/instances-card.js';

/** One request with its attempts; what it holds is not shown. */
export function RequestCard({ id, now }: { readonly id: string; readonly now: number }) {
  const [request, setRequest] = useState<ShownEffect | undefined>(undefined);
  const [failure, setFailure] = useState('');
  useEffect(() => setRequest(undefined), [id]);
  useRepeatedly(
    async (stopped) => {
      try {
        setRequest(await read<ShownEffect>(`effects/${encodeURIComponent(id)}`, {}, stopped));
        setFailure('');
      } catch (error) {
        if (!stopped.aborted) setFailure(reasonOf(error));
      }
    },
    [chosenHost.value, id],
  );
  if (request === undefined || failure !== '')
    return (
      <Card title={`Request ${id}`}>
        <Empty>{failure === '' ? 'Loading …' : failure}</Empty>
      </Card>
    );
  const { name, key, state, lane, askedAt, dueAt, claims, attempts, correlationId, tries } = request;
  const facts = {
    effect: name,
    key,
    lane,
    state: <Badge tone={toneOf(state)}>{state}</Badge>,
    'asked for': <Time at={askedAt} />,
    'asked by': correlationId === null ? undefined : <RequestLink id={correlationId} />,
    ...(state === 'parked' ? {} : { [state === 'running' ? 'claimed until' : 'due']: dueText(dueAt, now) }),
    'without an answer': claims - attempts > 1 ? `${claims - attempts} claims` : undefined,
  };
  return (
    <Card title={`Request ${id}`} hint="its last ten failed attempts">
      <Facts of={facts} />
      <Tries tries={tries} />
    </Card>
  );
}

function Tries({ tries }: Pick<ShownEffect, 'tries'>) {
  if (tries.length === 0) return <Empty>No attempt has failed.</Empty>;
  return (
    <table>
      <Head columns={['#Attempt', 'Time', 'Error']} />
      <tbody>
        {tries.map(({ at, claim, error }) => (
          <tr key={at}>
            <td class="number">{claim}</td>
            <td>
              <Time at={at} />
            </td>
            <td class="reason">{error}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
