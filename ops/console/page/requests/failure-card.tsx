import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asCurl, asTest, isCommand, operationOf } from '../../model/copy-request.js';
import type { RequestDetail } from '../../model/requests.js';
import { Badge, Card, toneOf } from '../parts/components.js';
import { notice } from '../parts/dialog.js';
import { loadOperations, operations } from '../parts/operations.js';

const reasons: Readonly<Record<string, string>> = {
  rejected: 'before its lifecycle began',
  cancelled: 'before it was begun, or while it ran',
};

/** What went wrong with a request, before everything else about it. */
export function FailureCard({ request }: { readonly request: RequestDetail }) {
  useEffect(() => void loadOperations(), []);
  const { outcome, status, failure, failedIn } = request;
  if (failure === undefined && outcome !== 'failed' && outcome !== 'rejected') return null;
  const where = failedIn === undefined ? (reasons[outcome] ?? '') : `in ${failedIn}`;
  const [summary = '', ...details] = (failure?.message ?? messageOf(request)).split('\n');
  return (
    <Card
      title="Failure"
      className={`failure-card ${toneOf(outcome)}`}
      hint={
        <>
          <Badge tone={toneOf(outcome)}>{outcome}</Badge> {where}
        </>
      }
      actions={<CopyButtons request={request} />}
    >
      <p class="headline">
        {status !== undefined && <strong class="status">{status}</strong>}
        <code>{failure?.code ?? failure?.name ?? ''}</code>
        <span>{summary}</span>
      </p>
      {details.length > 0 && (
        <ul class="faults">
          {details.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {failure?.stack !== undefined && (
        <details>
          <summary>Stack</summary>
          <pre tabIndex={0}>{failure.stack}</pre>
        </details>
      )}
    </Card>
  );
}

/** Where texts are not kept with a request, its record in the system stream may have one. */
function messageOf({ records }: RequestDetail): string {
  const failed = records.find(({ eventType }) => /Failed$/.test(eventType));
  return failed?.subject ?? '';
}

const copied = signal('');

function CopyButtons({ request }: { readonly request: RequestDetail }) {
  const { command, correlationId, status, failure, body } = request;
  const operation = operationOf(command, operations.value ?? []);
  const subject = { command, correlationId, status, body, code: failure?.code };
  const copy = async (what: string, text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      copied.value = what;
      notice.value = `Copied as ${what}.`;
    } catch {
      notice.value = 'The browser does not allow copying here.';
    }
  };
  const label = (what: string) => (copied.value === what ? 'Copied' : `Copy as ${what}`);
  return (
    <>
      <button
        type="button"
        class="plain"
        onClick={() =>
          void copy(
            'curl',
            asCurl(subject, operation, new URL('.', document.baseURI).href.replace(/\/$/, '')),
          )
        }
      >
        {label('curl')}
      </button>
      {isCommand(command) && (
        <button type="button" class="plain" onClick={() => void copy('test', asTest(subject, operation))}>
          {label('test')}
        </button>
      )}
    </>
  );
}
