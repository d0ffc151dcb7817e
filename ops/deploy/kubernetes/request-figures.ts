import { Problem } from '../../../contracts/problems.js';
import type { ApiClient } from './api-client.js';
import type { KubernetesConfig } from './config.js';
import { labelsOf } from './front.js';
import { figuresIn, longestMetrics, type PodFigures } from './metrics-text.js';
import type { Container, Deployment, ListOf, Pod } from './objects.js';
import type { Paths } from './paths.js';
import { hostIn } from './revision.js';

/** Reads what the pods of a Deployment have counted, by the name of the pod. */
export type ReadFigures = (
  deployment: Deployment,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, PodFigures>>;

/** At most so many pods are asked at once. */
const atOnce = 8;
const defaultPort = 3000;

/** From `/metrics` of every pod, through the API server. */
export const figuresOfPods =
  (api: ApiClient, paths: Paths, { container }: KubernetesConfig, token: string | undefined): ReadFigures =>
  async (deployment, signal) => {
    const host = hostIn(deployment.spec.template, container);
    const ignored = ignoredRoutes(host);
    const port = portOf(host);
    // The API server removes Authorization: it is for the API server alone.
    const query = token === undefined ? '' : `?t=${encodeURIComponent(token)}`;
    const pods = (await runningPods(api, paths, deployment, signal)).map(({ metadata }) => metadata.name);
    const found = new Map<string, PodFigures>();
    let failure: unknown;
    const readNext = async (): Promise<void> => {
      for (let pod = pods.shift(); pod !== undefined; pod = pods.shift()) {
        try {
          const text = await api.text(`${paths.metrics(pod, port)}${query}`, longestMetrics, signal);
          found.set(pod, figuresIn(text, ignored));
        } catch (error) {
          signal.throwIfAborted();
          failure = error;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, readNext));
    // A pod may end at any time; that none answers is a fault.
    if (found.size === 0 && failure !== undefined) throw failure;
    return found;
  };

/** Pods that run or are being stopped: those still answer what they have. */
export async function runningPods(
  api: ApiClient,
  paths: Paths,
  deployment: Deployment,
  signal: AbortSignal,
): Promise<readonly Pod[]> {
  const labels = labelsOf(deployment);
  if (Object.keys(labels).length === 0)
    throw new Problem('invalid-setup', {
      detail: `The Deployment ${deployment.metadata.name} has no matchLabels in its selector.`,
    });
  const { items } = await api.get<ListOf<Pod>>(paths.pods(labels), signal);
  return items.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
}

const portOf = (host: Container | undefined): number =>
  (host?.ports?.find(({ name }) => name === 'http') ?? host?.ports?.[0])?.containerPort ?? defaultPort;

/** Requests of Kubernetes and of Prometheus do not come through the front. */
export const ignoredRoutes = (host: Container | undefined): ReadonlySet<string> =>
  new Set([
    '/metrics',
    ...[host?.livenessProbe, host?.readinessProbe, host?.startupProbe].flatMap(
      (probe) => probe?.httpGet?.path ?? [],
    ),
  ]);
