import { signal } from '@preact/signals';
import { shortId } from '../model/format.js';
import { actAsUser, readAsUser, reasonOf } from './parts/api.js';
import { Badge, Card, Empty, Facts, Time } from './parts/components.js';
import { ask } from './parts/dialog.js';
import { useRepeatedly } from './parts/repeated-read.js';

/** What an agent asks a person to agree to. */
interface WaitingApproval {
  readonly approvalId: string;
  readonly command: string;
  readonly arguments: unknown;
  readonly fingerprint: string;
  readonly askedBy: string;
  readonly agent: string;
  readonly askedAt: string;
  readonly expiresAt: string;
}

/** The page of them that `GET /approvals` answers. */
interface WaitingApprovals {
  readonly data: readonly WaitingApproval[];
  readonly totalCount: number;
}

const waiting = signal<WaitingApprovals | undefined>(undefined);
const failure = signal('');

/** What agents ask for, as the person who is signed in sees it, and decides about it. */
export function ApprovalsPanel() {
  useRepeatedly((stopped) => load(stopped), []);
  const { data = [], totalCount = 0 } = waiting.value ?? {};
  return (
    <div class="column single">
      {failure.value !== '' && <Empty>{failure.value}</Empty>}
      {failure.value === '' && data.length === 0 && (
        <Empty>{waiting.value === undefined ? 'Loading …' : 'Nothing waits for you.'}</Empty>
      )}
      {data.map((one) => (
        <ApprovalCard key={one.approvalId} approval={one} />
      ))}
      {totalCount > data.length && <Empty>{`${totalCount - data.length} more wait.`}</Empty>}
    </div>
  );
}

async function load(stopped?: AbortSignal): Promise<void> {
  try {
    waiting.value = await readAsUser<WaitingApprovals>(
      'approvals?filter[status]=asked&sort=askedAt&pageSize=50',
      stopped,
    );
    failure.value = '';
  } catch (error) {
    if (stopped?.aborted !== true) failure.value = reasonOf(error);
  }
}

function ApprovalCard({ approval }: { readonly approval: WaitingApproval }) {
  const { approvalId, command, askedBy, agent, askedAt, expiresAt, fingerprint } = approval;
  const actions = (
    <>
      <button type="button" class="plain" onClick={() => askToDecide(approval, true)}>
        Agree<span class="sr"> to {command}</span>
      </button>
      <button type="button" class="plain" onClick={() => askToDecide(approval, false)}>
        Refuse<span class="sr"> {command}</span>
      </button>
    </>
  );
  return (
    <Card
      title={`${command} ${shortId(approvalId)}`}
      hint={<Badge tone="warn">waits</Badge>}
      actions={actions}
    >
      <Facts
        of={{
          'asked by': askedBy,
          by: agent,
          asked: <Time at={askedAt} />,
          expires: <Time at={expiresAt} />,
          fingerprint: <code>{fingerprint.slice(0, 16)}</code>,
        }}
      />
      <h3>What is carried out</h3>
      <pre tabIndex={0}>{JSON.stringify(approval.arguments, null, 2).replace(unseen, codeOf)}</pre>
    </Card>
  );
}

/** Characters that are not seen, or turn the order of others, would show another text than the one that is carried out. */
const unseen = /[\p{Cf}\u2028\u2029]/gu;
const codeOf = (one: string): string => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`;

/** About what was shown when the button was pressed. */
const askToDecide = ({ approvalId, fingerprint, command }: WaitingApproval, agree: boolean): void =>
  ask({
    title: `${agree ? 'Agree to' : 'Refuse'} ${command}?`,
    text: agree
      ? 'It is carried out at once, for the one who asked. You decide as yourself, and this is recorded.'
      : 'It is not carried out. You decide as yourself, and this is recorded.',
    confirm: agree ? 'Agree' : 'Refuse',
    dangerous: agree,
    field: { label: 'Note for the agent', required: !agree },
    act: async (note) => {
      const decision = { approvalId, fingerprint, agree, ...(note === '' ? {} : { note }) };
      await actAsUser('approvals/decide', decision);
      await load();
    },
  });
