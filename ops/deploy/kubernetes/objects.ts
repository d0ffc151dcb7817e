/** The parts of Kubernetes objects that a deployment reads and changes; the rest is kept as it is. */

interface Metadata {
  readonly name: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly annotations?: Labels;
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
}

export type Labels = Readonly<Record<string, string>>;

export interface KubernetesObject {
  readonly metadata: Metadata;
}

interface Probe {
  readonly httpGet?: { readonly path?: string };
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

export interface PodTemplate {
  readonly metadata?: { readonly annotations?: Labels; readonly labels?: Labels };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly terminationGracePeriodSeconds?: number;
  };
}

export interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels?: Labels };
    readonly template: PodTemplate;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
  };
}

export interface ReplicaSet extends KubernetesObject {
  readonly spec: { readonly template: PodTemplate };
}

export interface Pod extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

export interface Scale extends KubernetesObject {
  readonly spec: { readonly replicas?: number };
}

export interface Service extends KubernetesObject {
  readonly spec: { readonly selector?: Labels };
}

export interface BackendRef {
  readonly name: string;
  readonly port?: number;
  readonly weight?: number;
}

interface HeaderMatch {
  readonly type?: string;
  readonly name: string;
  readonly value: string;
}

export interface RouteMatch {
  readonly path?: { readonly type?: string; readonly value?: string };
  readonly headers?: readonly HeaderMatch[];
}

export interface RouteRule {
  readonly name?: string;
  readonly matches?: readonly RouteMatch[];
  readonly backendRefs?: readonly BackendRef[];
}

export interface HttpRoute extends KubernetesObject {
  readonly spec: { readonly rules?: readonly RouteRule[] };
}

export interface ListOf<T> {
  readonly items: readonly T[];
}
