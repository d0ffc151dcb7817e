import { longestKubeconfig, parseKubeconfig } from '../deploy/kubernetes/kubeconfig.js';
import { figuresIn, requestCounter } from '../deploy/kubernetes/metrics-text.js';
import { run, textShapes, valueShapes } from './hostile-shapes.js';
import type { UntrustedParser } from './untrusted-parser.js';

const ignored = new Set(['/metrics']);

export const kubernetesParserCases: readonly UntrustedParser[] = [
  {
    name: 'a kubeconfig',
    in: 'ops/deploy/kubernetes/kubeconfig.ts',
    limit: longestKubeconfig,
    shapes: [...valueShapes, run('{"name":"a"},', '{"current-context":"b","contexts":[', '{}]}')],
    isJson: true,
    read: parseKubeconfig,
  },
  {
    name: 'the metrics of a pod',
    in: 'ops/deploy/kubernetes/metrics-text.ts',
    limit: 65_536,
    shapes: [
      ...textShapes(`${requestCounter}{`, `${requestCounter}{a="`),
      run('\n'),
      run('a 1\n'),
      run(`${requestCounter}{http_route="/a"} 1\n`),
      run(`${requestCounter}{`),
    ],
    read: (text) => figuresIn(text, ignored),
  },
];
