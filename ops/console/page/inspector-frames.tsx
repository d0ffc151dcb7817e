import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { clock } from '../model/format.js';
import { Badge, Card, Empty, Head } from './parts/components.js';
import { chosenHost } from './parts/navigation.js';

/** A frame of the inspection protocol, as far as it is shown. */
interface Frame {
  readonly type?: string;
  readonly name?: string;
  readonly sessionId?: string;
  readonly createdAt?: string;
  readonly event?: { readonly type?: string };
  readonly snapshot?: { readonly value?: unknown; readonly status?: string };
}

const frames = signal<readonly Frame[]>([]);
const connection = signal<'closed' | 'open'>('closed');
const maxFrames = 100;

/** What an attached inspector receives: machines that start, their events and their states. */
export function InspectorFrames() {
  useEffect(() => {
    const address = new URL('inspect', document.baseURI);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    if (chosenHost.value !== undefined) address.searchParams.set('host', chosenHost.value);
    const socket = new WebSocket(address);
    socket.onopen = () => (connection.value = 'open');
    socket.onclose = () => (connection.value = 'closed');
    socket.onmessage = ({ data }) => take(String(data));
    return () => socket.close();
  }, [chosenHost.value]);
  return (
    <Card
      title="Inspector"
      hint={
        <>
          <Badge tone={connection.value === 'open' ? 'good' : 'bad'}>
            {connection.value === 'open' ? 'attached' : 'not attached'}
          </Badge>{' '}
          frames of requests as they run, newest first
        </>
      }
    >
      {frames.value.length === 0 ? (
        <Empty>Send a request to see its machine run.</Empty>
      ) : (
        <table>
          <Head columns={['Actor', 'Frame', 'Event', 'State', '#Time']} />
          <tbody>
            {frames.value.map((frame, index) => (
              <FrameRow key={index} frame={frame} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** What cannot be read is left out: the protocol has more kinds of frames than are shown. */
function take(text: string): void {
  try {
    frames.value = [JSON.parse(text) as Frame, ...frames.value].slice(0, maxFrames);
  } catch {
    // Not a frame.
  }
}

function FrameRow({ frame }: { readonly frame: Frame }) {
  const { type = '', name, sessionId = '', event, snapshot, createdAt = '' } = frame;
  const at = /^\d+$/.test(createdAt) ? new Date(Number(createdAt)).toISOString() : createdAt;
  const value = snapshot?.value ?? snapshot?.status ?? '';
  return (
    <tr>
      <td>{name ?? sessionId}</td>
      <td>{type.replace('@xstate.', '')}</td>
      <td>{event?.type ?? ''}</td>
      <td>{typeof value === 'string' ? value : JSON.stringify(value)}</td>
      <td class="number">{clock(at)}</td>
    </tr>
  );
}
