import { isObject, type JsonObject } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';

/** The two Deployments that take turns: one serves, the other gets the next revision. */
export type Slot = 'blue' | 'green';

/** The settings of the driver, from deploy.json. */
export interface KubernetesConfig {
  readonly namespace: string;
  /** The Service that callers inside the cluster use; its selector chooses the slot. */
  readonly service: string;
  /** Each Deployment has a Service of the same name, to which the route refers. */
  readonly deployments: Readonly<Record<Slot, string>>;
  /** The HTTPRoute whose weights split the traffic; unset: only the selector of the Service does. */
  readonly route: string | undefined;
  /** The container that runs the host. */
  readonly container: string;
  /** Unset: the metrics of the pods are read through the API server. */
  readonly prometheus: URL | undefined;
  readonly replicas: number;
}

const known = [
  'driver',
  'namespace',
  'service',
  'deployments',
  'route',
  'container',
  'prometheus',
  'replicas',
];

/** Reads the settings; reports all faults at once. */
export function kubernetesConfigIn(value: unknown): KubernetesConfig {
  const faults: string[] = [];
  const fields = fieldsOf(value, 'the file', faults);
  for (const name of Object.keys(fields))
    if (!known.includes(name)) faults.push(`'${name.slice(0, 40)}' is not a setting`);
  const slots = fieldsOf(fields['deployments'], 'deployments', faults);
  const config: KubernetesConfig = {
    namespace: nameIn(fields, 'namespace', faults),
    service: nameIn(fields, 'service', faults),
    deployments: { blue: nameIn(slots, 'blue', faults), green: nameIn(slots, 'green', faults) },
    route: fields['route'] === undefined ? undefined : nameIn(fields, 'route', faults),
    container: fields['container'] === undefined ? 'host' : nameIn(fields, 'container', faults),
    prometheus: prometheusIn(fields['prometheus'], faults),
    replicas: replicasIn(fields['replicas'], faults),
  };
  const { blue, green } = config.deployments;
  if (blue === green && blue !== '') faults.push('deployments.blue and deployments.green must differ');
  if (faults.length > 0)
    throw new Problem('invalid-setup', { detail: `The kubernetes driver: ${faults.join('; ')}` });
  return config;
}

function fieldsOf(value: unknown, what: string, faults: string[]): JsonObject {
  if (isObject(value)) return value;
  faults.push(`${what} must be an object`);
  return {};
}

/** A name becomes a part of a path of the API: what is no name of Kubernetes must not reach it. */
function nameIn(fields: Readonly<Record<string, unknown>>, name: string, faults: string[]): string {
  const value = fields[name];
  if (typeof value === 'string' && value.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(value))
    return value;
  faults.push(`${name} must be a name of Kubernetes such as orders-blue`);
  return '';
}

function prometheusIn(value: unknown, faults: string[]): URL | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)) return new URL(value);
  faults.push('prometheus must be a URL such as http://prometheus.monitoring:9090');
  return undefined;
}

function replicasIn(value: unknown, faults: string[]): number {
  if (value === undefined) return 10;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000) return value;
  faults.push('replicas must be a whole number from 1 to 1000');
  return 10;
}
