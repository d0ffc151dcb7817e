import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { defaultOptions } from '../default-options.js';
import type { DeployConfig } from '../deploy-config.js';
import type { StoredDeployment } from '../deployment-rows.js';
import type { DeploymentOptions, Strategy } from '../steps.js';
import { versionIn } from '../../service/load-service.js';
import { isRevision } from '../../config/revision-name.js';
import type { WantedDeployment } from './deploy-arguments.js';

/** Beside the application, else in the current folder. */
export async function configFileOf({ config, source }: WantedDeployment): Promise<string> {
  if (config !== undefined) return resolve(config);
  const beside = source === undefined ? undefined : resolve(source, 'deploy.json');
  return beside !== undefined && (await isThere(beside)) ? beside : resolve('deploy.json');
}

export const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** The folder of an application, if the source is one and not an image. */
export async function applicationOf(source: string | undefined): Promise<string | undefined> {
  const path = source === undefined ? undefined : resolve(source);
  return path !== undefined && (await isThere(path)) ? path : undefined;
}

/** The version in package.json, or the tag of an image. */
export async function revisionOf(source: string): Promise<string> {
  const app = await applicationOf(source);
  const found =
    app === undefined
      ? /:([A-Za-z0-9][\w.-]{0,127})(?:@|$)/.exec(basename(source))?.[1]
      : await versionIn(app);
  if (found !== undefined && isRevision(found)) return found;
  const what = found === undefined ? 'There is no version' : 'The version is no name of a revision';
  throw new Problem('usage', {
    detail:
      app === undefined
        ? `${source} is neither a folder nor an image with a tag; give the revision with --revision.`
        : `${what} in ${join(source, 'package.json')}; give the revision with --revision.`,
  });
}

/** What was asked for, over what deploy.json says, over the defaults of the strategy. */
export function optionsFor(
  strategy: Strategy,
  { options, pre, post, url, skipsChecks }: WantedDeployment,
  config: DeployConfig | undefined,
): DeploymentOptions {
  const fromFile = config?.replicas === undefined ? {} : { replicas: config.replicas };
  const chosen = { ...defaultOptions(strategy), ...fromFile, ...options };
  const [before, after, at] = [pre ?? config?.pre, post ?? config?.post, url ?? config?.url];
  const gates = {
    builtIn: !skipsChecks,
    ...(before === undefined || skipsChecks ? {} : { pre: before }),
    ...(after === undefined || skipsChecks ? {} : { post: after }),
    ...(at === undefined ? {} : { url: at }),
  };
  if (chosen.maxSurge + chosen.maxUnavailable === 0)
    throw new Problem('usage', { detail: '--max-surge and --max-unavailable cannot both be 0.' });
  return { ...chosen, oldReplicas: chosen.replicas, gates };
}

/** By batches as the last deployment, else by one switch: never with downtime. */
export const rollbackStrategy = (last: StoredDeployment | undefined): Strategy =>
  last?.strategy === 'rolling' ? 'rolling' : 'blue-green';

/** How long a rollback is watched after it has moved requests. */
export const rollbackStageMs = 10_000;

/** The revision that served before the one that serves now; if none does, the one that served last. */
export function revisionBefore(current: string | undefined, history: readonly StoredDeployment[]): string {
  const completed = history.filter(({ state }) => state === 'completed');
  const found =
    current === undefined
      ? completed[0]?.revision
      : completed.find(({ revision }) => revision === current)?.previous;
  if (found !== undefined) return found;
  throw new Problem('not-found', { detail: 'There is no earlier revision; name one with --to.' });
}
