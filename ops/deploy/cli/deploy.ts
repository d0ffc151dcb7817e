import { resolve } from 'node:path';
import { leftText, type DeploymentStore } from '../deployment-store.js';
import { printToStderr } from '../../terminal/print.js';
import type { Verb } from '../../cli/verb.js';
import { type DeployArguments, parseDeploy } from './deploy-arguments.js';
import { printPlan, printRollbackPlan } from './deploy-dry-run.js';
import { ask } from './deploy-requests.js';
import { runNewDeployment } from './deploy-run.js';
import { startServed } from './deploy-start.js';
import { printHistory, printStatus, watchStatus } from './deploy-status.js';
import { withDeployments } from './deploy-store.js';

export const deploy: Verb = {
  help: `
svc deploy canary|rolling|blue-green|recreate <app|image> [--revision R] [options]
svc deploy rollback [--to REVISION] [options]
svc deploy start [--config FILE]
svc deploy status [--watch]
svc deploy promote|pause|resume|abort [--reason TEXT]
svc deploy history [--limit N]

Brings a revision into service: an application folder behind HAProxy, or an image in Kubernetes, as deploy.json says.
If a step fails or takes too long, if too many requests fail, or if this command is killed, the previous revision
serves again, and the command exits with 1. One deployment runs at a time.

canary      moves 10, 25, 50, 75 and 100 % of the requests; the header x-canary: always|never chooses a revision
rolling     replaces hosts in batches
blue-green  starts all new hosts, switches all requests at once, and keeps a part of the old hosts
recreate    stops all old hosts before it starts new ones: requests fail meanwhile
rollback    deploys the previous revision, or --to another one: in batches if the last deployment was rolling, else
            with one switch
start       starts the revision that served before the machine was restarted, and reverts a deployment that was in
            progress then; does nothing if a revision serves. The systemd unit svc-deployed.service runs it
promote     ends the current stage now; pause stops its time, resume continues it; abort reverts
resume      also continues a deployment that no process drives anymore; abort reverts it

The checks of svc check pre and post are gates: before, if <app> is a folder; after, if there is a URL. SVC_CHECK_KEY is
their key. The system stream records every stage, with SVC_ACTOR or the user of the operating system. The store is the one
at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc); its owner is needed (DATABASE_OWNER_URL).

  --revision R          the name of the revision (the version in package.json, or the tag of the image)
  --config FILE         instead of deploy.json beside the application or in the current folder
  --kubeconfig FILE     the cluster of the kubernetes driver (KUBECONFIG)
  --replicas N          hosts of the new revision (deploy.json, else 10)
  --stages P,P,…,100    the shares of a canary, in percent
  --stage-time T        how long each stage is watched (canary 5m, blue-green 1m, rolling and rollback 10s, recreate 0s)
  --max-errors P        reverts when more than P % of the requests of a stage fail (5)
  --min-sample N        makes no decision on fewer requests (200)
  --hold T              how long a stage waits for requests or metrics after its time, before it reverts (1h)
  --max-unavailable N   missing hosts allowed in a rolling update (1)
  --max-surge N         extra hosts allowed in a rolling update (2)
  --keep N              old hosts that blue-green keeps (1)
  --ready-timeout T     how long hosts may take to become ready (5m)
  --step-timeout T      how long any other step may take (60s)
  --pre COMMAND         must exit with 0 before anything is changed
  --post COMMAND        must exit with 0, else the deployment is reverted. Runs before the last old hosts stop; with
                        recreate they have already stopped
  --url URL             where the checks after the deployment reach the service
  --skip-checks         runs no checks and no commands
  --dry-run             prints the stages and does nothing
  --json                prints JSON

  svc deploy canary ./orders --stage-time 10m`,
  endsProcess: true,
  run: async (args) => {
    const given = parseDeploy(args);
    // The driver, and the watcher that is started, find it there.
    if (given.kubeconfig !== undefined) process.env['KUBECONFIG'] = resolve(given.kubeconfig);
    if (given.action === 'deploy' && given.wanted.dryRun && given.wanted.strategy !== undefined)
      return printPlan(given.wanted, given.wanted.strategy, given.json);
    await withDeployments((deployments) => run(deployments, given));
  },
};

async function run(deployments: DeploymentStore, given: DeployArguments): Promise<void> {
  if (given.action === 'deploy' && given.wanted.dryRun)
    return printRollbackPlan(deployments, given.wanted, given.json);
  if (given.action === 'deploy') return runNewDeployment(deployments, given.wanted, given.json);
  if (given.action === 'start') return startServed(deployments, given.config, given.json);
  const left = await deployments.unfinished();
  if (left !== undefined && !left.isDriven)
    printToStderr(`svc: ${leftText(left)}; run svc deploy abort or svc deploy resume.\n`);
  if (given.action === 'ask') return ask(deployments, given.request, given.reason, given.json);
  if (given.action === 'history') return printHistory(deployments, given.limit, given.json);
  return given.watch ? watchStatus(deployments, given.json) : printStatus(deployments, given.json);
}
