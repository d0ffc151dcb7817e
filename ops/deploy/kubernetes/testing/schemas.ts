type Validate = ((data: unknown) => boolean) & { readonly errors?: readonly SchemaError[] | null };

interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: object;
}

const kubernetes = (name: string) => import(`kubernetes-models/_schemas/IoK8sApi${name}`);
const gateway = (name: string) =>
  import(`@kubernetes-models/gateway-api/_schemas/IoK8sSigsGatewayApi${name}`);

/** The schema of every kind that we write, by version and kind. */
const schemas: Readonly<Record<string, () => Promise<unknown>>> = {
  'apps/v1 Deployment': () => kubernetes('AppsV1Deployment'),
  'apps/v1 ReplicaSet': () => kubernetes('AppsV1ReplicaSet'),
  'autoscaling/v1 Scale': () => kubernetes('AutoscalingV1Scale'),
  'autoscaling/v2 HorizontalPodAutoscaler': () => kubernetes('AutoscalingV2HorizontalPodAutoscaler'),
  'batch/v1 Job': () => kubernetes('BatchV1Job'),
  'gateway.networking.k8s.io/v1 Gateway': () => gateway('ApisV1Gateway'),
  'gateway.networking.k8s.io/v1 HTTPRoute': () => gateway('ApisV1HTTPRoute'),
  'networking.k8s.io/v1 NetworkPolicy': () => kubernetes('NetworkingV1NetworkPolicy'),
  'policy/v1 PodDisruptionBudget': () => kubernetes('PolicyV1PodDisruptionBudget'),
  'rbac.authorization.k8s.io/v1 Role': () => kubernetes('RbacV1Role'),
  'rbac.authorization.k8s.io/v1 RoleBinding': () => kubernetes('RbacV1RoleBinding'),
  'v1 ConfigMap': () => kubernetes('CoreV1ConfigMap'),
  'v1 Namespace': () => kubernetes('CoreV1Namespace'),
  'v1 Pod': () => kubernetes('CoreV1Pod'),
  'v1 Service': () => kubernetes('CoreV1Service'),
  'v1 ServiceAccount': () => kubernetes('CoreV1ServiceAccount'),
};

/** What the real schemas object to in an object, and keys that they do not know. */
export async function schemaFaults(object: unknown): Promise<readonly string[]> {
  const { apiVersion, kind } = object as { readonly apiVersion?: string; readonly kind?: string };
  const load = schemas[`${apiVersion} ${kind}`];
  if (load === undefined) return [`no schema for ${apiVersion} ${kind}`];
  const { validate } = (await load()) as { readonly validate: Validate };
  const reads = new RecordedReads();
  validate(reads.of(object, ''));
  const faults = (validate.errors ?? []).map(
    ({ instancePath, keyword, params }) => `${instancePath || '/'} ${keyword} ${JSON.stringify(params)}`,
  );
  return [...faults, ...reads.unread().map((path) => `${path} is not a field`)];
}

/**
 * The validators are compiled, and ignore keys that they do not know. But they read each key that they know, and list
 * the keys of a map: what was neither read nor listed is unknown.
 */
class RecordedReads {
  readonly #objects: {
    readonly path: string;
    readonly keys: readonly string[];
    readonly read: Set<string>;
  }[] = [];

  of(value: unknown, path: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const read = new Set<string>();
    const keys = Object.keys(value);
    if (!Array.isArray(value)) this.#objects.push({ path, keys, read });
    const inner = new Map<string, unknown>();
    return new Proxy(value, {
      get: (target, key) => {
        const found: unknown = Reflect.get(target, key);
        if (typeof key === 'symbol') return found;
        read.add(key);
        if (!inner.has(key)) inner.set(key, this.of(found, `${path}/${key}`));
        return inner.get(key);
      },
      ownKeys: (target) => {
        for (const key of keys) read.add(key);
        return Reflect.ownKeys(target);
      },
    });
  }

  /** An object of which nothing was read may hold anything. */
  unread(): readonly string[] {
    return this.#objects
      .filter(({ read }) => read.size > 0)
      .flatMap(({ path, keys, read }) => keys.filter((key) => !read.has(key)).map((key) => `${path}/${key}`));
  }
}
