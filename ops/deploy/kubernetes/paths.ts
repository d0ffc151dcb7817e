import type { KubernetesConfig } from './config.js';
import { selectorText } from './label-selectors.js';
import type { Labels } from './objects.js';

/** Where the objects of one deployment are in the API. Names are checked when the settings are read. */
export function pathsOf({ namespace, service, route }: KubernetesConfig) {
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const core = `/api/v1/namespaces/${namespace}`;
  return {
    deployment: (name: string): string => `${apps}/deployments/${name}`,
    scale: (name: string): string => `${apps}/deployments/${name}/scale`,
    replicaSets: `${apps}/replicasets?limit=500`,
    service: `${core}/services/${service}`,
    route: `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/httproutes/${route ?? ''}`,
    pods: (labels: Labels): string =>
      `${core}/pods?limit=500&labelSelector=${encodeURIComponent(selectorText(labels))}`,
    /** The API server connects to the pod: this program need not reach it. */
    metrics: (pod: string, port: number): string =>
      `${core}/pods/${encodeURIComponent(pod)}:${port}/proxy/metrics`,
  };
}

export type Paths = ReturnType<typeof pathsOf>;
