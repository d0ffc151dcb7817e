import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { ApprovalAsked, ApprovalDecided, ApprovalEnded, EndApproval } from './approval-messages.js';

interface Waiting {
  readonly approvalId: Uuid;
  readonly withinMs: Long;
}

const sendEnd = (agreed: boolean) =>
  ({
    type: 'send',
    params: ({ context: { approvalId } }: { readonly context: Waiting }) =>
      EndApproval.of({ approvalId, agreed }),
  }) as const;

const endedAs =
  (outcome: ApprovalEnded['outcome']) =>
  ({ event }: { readonly event: { readonly data: ApprovalEnded } }): boolean =>
    event.data.outcome === outcome;

const byOutcome = [
  { guard: endedAs('done'), target: 'done' },
  { guard: endedAs('failed'), target: 'failed' },
  { target: 'expired' },
] as const;

const byDecision = [
  {
    guard: ({ event }: { readonly event: { readonly data: ApprovalDecided } }): boolean => event.data.agree,
    target: 'agreed',
  },
  { target: 'refused' },
] as const;

/** Made only for a service that has approvals. */
function approvalMachine() {
  const setup = processSetup({
    events: { ApprovalAsked, ApprovalDecided, ApprovalEnded },
    commands: { EndApproval },
    context: shape<Waiting>(),
    raises: shape<{ type: 'expired' }>(),
  });
  return setup.createMachine({
    id: 'svc-approval',
    context: ({ input: { data } }) => {
      // Nothing else starts it.
      const { approvalId, withinMs } = data as ApprovalAsked;
      return { approvalId, withinMs };
    },
    initial: 'asked',
    states: {
      asked: {
        entry: setup.raise({ type: 'expired' }, { id: 'expiry', delay: ({ context }) => context.withinMs }),
        exit: setup.cancel('expiry'),
        on: { ApprovalDecided: byDecision, expired: 'expiring' },
      },
      agreed: { entry: sendEnd(true), on: { ApprovalEnded: byOutcome } },
      expiring: {
        entry: sendEnd(false),
        // A person may be faster than the command.
        on: { ApprovalEnded: byOutcome, ApprovalDecided: byDecision },
      },
      done: { type: 'final' },
      failed: { type: 'final' },
      refused: { type: 'final' },
      expired: { type: 'final' },
    },
  });
}

/** Waits for a person, and has carried out what they agree to. */
export class ApprovalProcess implements Process<ReturnType<typeof approvalMachine>> {
  readonly name = 'svc-approval';
  readonly version = 1;
  readonly machine = approvalMachine();
  readonly starts = [ApprovalAsked];

  key({ payload }: StoredEvent<{ approvalId: Uuid }>): string {
    return payload.approvalId;
  }
}
