type Slot = 'blue' | 'green';

const app = { 'app.kubernetes.io/name': 'orders' };
export const slotLabels = (slot: Slot): Readonly<Record<string, string>> => ({
  ...app,
  'svc-runtime/slot': slot,
});

const probe = (path: string) => ({ httpGet: { path, port: 'http' } });

export const deployment = (slot: Slot, image: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `orders-${slot}`, labels: slotLabels(slot) },
  spec: {
    replicas,
    selector: { matchLabels: slotLabels(slot) },
    template: {
      metadata: { labels: slotLabels(slot) },
      spec: {
        terminationGracePeriodSeconds: 2,
        containers: [
          {
            name: 'host',
            image,
            ports: [{ name: 'http', containerPort: 3000 }],
            env: [{ name: 'SVC_PORT', value: '3000' }],
            livenessProbe: probe('/health/live'),
            readinessProbe: probe('/health/ready'),
          },
          { name: 'proxy', image: 'proxy:1' },
        ],
      },
    },
  },
});

export const service = (name: string, selector: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
});

export const route = () => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'orders' },
  spec: {
    parentRefs: [{ name: 'gateway' }],
    rules: [
      {
        matches: [
          { path: { type: 'PathPrefix', value: '/orders' } },
          { path: { type: 'Exact', value: '/' } },
        ],
        timeouts: { request: '30s' },
        backendRefs: [
          { name: 'orders-blue', port: 80, weight: 100 },
          { name: 'orders-green', port: 80, weight: 0 },
        ],
      },
      {
        matches: [{ path: { type: 'PathPrefix', value: '/pictures' } }],
        backendRefs: [{ name: 'pictures', port: 80 }],
      },
    ],
  },
});
