import { given } from '../../actors/kit/given.js';
import { suite } from '../../contracts/testing/suite.js';
import { ApprovalAsked, ApprovalDecided, ApprovalEnded, EndApproval } from './approval-messages.js';
import { ApprovalProcess } from './approval-process.js';

const test = suite('process of an approval');

const approvalId = '018f0000-0000-7000-8000-000000000001';
const asker = {
  source: 'test',
  scope: { allowedPrincipals: [], extensions: {} },
  roles: [],
  permissions: [],
};
const asked = ApprovalAsked.of({
  approvalId,
  command: 'Ping',
  arguments: {},
  fingerprint: 'f',
  asker,
  agent: 'agent:desk',
  expiresAt: '2026-01-01T01:00:00Z',
  withinMs: 3_600_000,
});
const decided = (agree: boolean) => ApprovalDecided.of({ approvalId, fingerprint: 'f', agree, by: 'grace' });
const ended = (outcome: ApprovalEnded['outcome']) => ApprovalEnded.of({ approvalId, outcome });
const end = (agreed: boolean) => EndApproval.of({ approvalId, agreed });

test('what is agreed to is carried out, and its end is that of the process', async () => {
  for (const outcome of ['done', 'failed'] as const)
    await given(new ApprovalProcess())
      .when(asked)
      .thenSends()
      .thenIn('asked')
      .when(decided(true))
      .thenSends(end(true))
      .thenIn('agreed')
      .when(ended(outcome))
      .thenIn(outcome);
});

test('what is refused is not carried out, and nothing is left to expire', () =>
  given(new ApprovalProcess())
    .when(asked, decided(false))
    .thenSends()
    .thenIn('refused')
    .after('P30D')
    .thenSends());

test('what nobody decides expires after the time that its command allows', () =>
  given(new ApprovalProcess())
    .when(asked)
    .after('PT59M')
    .thenIn('asked')
    .after('PT2M')
    .thenSends(end(false))
    .thenIn('expiring')
    .when(ended('expired'))
    .thenIn('expired'));

test('a decision in the moment of expiry counts, whichever of both was stored first', async () => {
  const late = given(new ApprovalProcess()).when(asked).after('PT61M');
  await late.when(decided(true)).thenSends(end(true)).when(ended('done')).thenIn('done');
  await given(new ApprovalProcess()).when(asked).after('PT61M').when(decided(false)).thenIn('refused');
});

test('an approval that was decided does not expire', () =>
  given(new ApprovalProcess()).when(asked, decided(true)).after('PT61M').thenSends().thenIn('agreed'));
