import { longestKubeconfig, parseKubeconfig } from '../deploy/kubernetes/kubeconfig.js';
import { figuresIn, requestCounter } from '../deploy/kubernetes/metrics-text.js';
import { run, textShapes } from './hostile-shapes.js';
import type { UntrustedParser } from './untrusted-parser.js';

const lines = [
  'a:\n',
  '- a\n',
  '- a: b\n',
  'a: b\n',
  '\n',
  ' \n',
  '- ',
  'a: ',
  '"\n',
  "'",
  '-\n',
  '|\n',
  '#\n',
];
const ignored = new Set(['/metrics']);

export const kubernetesParserCases: readonly UntrustedParser[] = [
  {
    name: 'a kubeconfig',
    in: 'ops/deploy/kubernetes/block-yaml.ts',
    limit: longestKubeconfig,
    shapes: [
      ...textShapes('a: '),
      ...lines.map((unit) => run(unit)),
      ...lines.map((unit) => run(unit, 'a:\n')),
    ],
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
