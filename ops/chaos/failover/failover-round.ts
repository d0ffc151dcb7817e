import { RetryingClients } from '../harness/retrying-clients.js';
import type { FailoverFault } from './failover-plan.js';
import { enough, type Scene } from './failover-scene.js';
import { loseTheNewest, type ReportedLoss } from './lossy-failover.js';
import { streamLeader } from '../../../runtime/testing/published-messages.js';
import { checkTrio, type TrioFindings } from './trio-check.js';

/** One fault, and what was found after it. */
export interface Round extends TrioFindings {
  readonly fault: FailoverFault | 'standby-behind';
  readonly acknowledged: number;
  readonly longestGapMs: number;
  /** The number of each other answer. */
  readonly others: Readonly<Record<string, number>>;
  readonly loss?: ReportedLoss;
}

const clientCount = 16;
/** Clients insist: what they give up would not be checked. */
const giveUpAfterMs = 600_000;

/** A fault under load. */
export async function failOver(fault: FailoverFault, seed: number, scene: Scene): Promise<Round> {
  const since = Date.now();
  const clients = startClients(seed, scene);
  await clients.waitForMore(enough);
  await inject(fault, scene, clients);
  await healed(scene, clients);
  return { fault, ...summaryOf([clients]), ...(await checked(scene, [clients], since)) };
}

/** A failover to a standby that lags: what was acknowledged is lost, and that is recorded. */
export async function failOverWithLoss(seed: number, scene: Scene): Promise<Round> {
  const since = Date.now();
  const before = startClients(seed, scene);
  await before.waitForMore(enough);
  const reportLoss = await loseTheNewest(scene, before);
  const after = startClients(seed + 50, scene);
  await healed(scene, after);
  const all = [before, after];
  const loss = await reportLoss();
  return { fault: 'standby-behind', ...summaryOf(all), ...(await checked(scene, all, since)), loss };
}

const startClients = (seed: number, { url }: Scene): RetryingClients =>
  new RetryingClients(url, seed, clientCount, giveUpAfterMs);

async function healed({ trio }: Scene, clients: RetryingClients): Promise<void> {
  await clients.waitForMore(enough);
  trio.heal();
  await trio.untilWhole();
  await clients.waitForMore(enough);
  await clients.stop();
}

function checked(
  { trio, nats, sent }: Scene,
  clients: readonly RetryingClients[],
  since: number,
): Promise<TrioFindings> {
  for (const each of clients) sent.push(...each.sent);
  return checkTrio({ store: trio.url, broker: nats.url, sent, since });
}

const summaryOf = (clients: readonly RetryingClients[]) => ({
  acknowledged: clients.reduce((sum, each) => sum + each.acknowledged, 0),
  longestGapMs: Math.round(Math.max(...clients.map((each) => each.longestGapMs))),
  others: Object.fromEntries(clients.flatMap((each) => [...each.others])),
});

/** Returns when the fault has happened and another server has taken over. */
async function inject(fault: FailoverFault, { trio, nats }: Scene, clients: RetryingClients): Promise<void> {
  if (fault === 'nats-leader-lost') {
    const server = nats.servers.get(await streamLeader(nats.url));
    await server?.stop('SIGKILL');
    await clients.waitForMore(enough);
    await streamLeader(nats.url);
    return server?.start();
  }
  const leader = await trio.leader();
  if (fault === 'postmaster-killed') trio.killPostmaster(leader);
  else if (fault === 'machine-lost') trio.killMachine(leader);
  else if (fault === 'manager-frozen') trio.freezeManager(leader);
  else await trio.switchOver();
  await trio.untilLeaderIsNot(leader);
}
