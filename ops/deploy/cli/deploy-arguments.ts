import type { OperatorRequest } from '../journal.js';
import { type DeploymentOptions, strategies, type Strategy } from '../steps.js';
import { isRevision } from '../../config/revision-name.js';
import { argumentsOf, reasonIn, usageOf } from '../../commands/arguments.js';
import { deploymentOptionsIn, type OptionTexts } from './deploy-options.js';

/** How a new deployment is to be made. */
export interface WantedDeployment {
  /** Undefined: a rollback, which chooses by the last one. */
  readonly strategy: Strategy | undefined;
  readonly source: string | undefined;
  readonly revision: string | undefined;
  readonly config: string | undefined;
  readonly options: Partial<DeploymentOptions>;
  readonly pre: string | undefined;
  readonly post: string | undefined;
  readonly url: string | undefined;
  readonly skipsChecks: boolean;
  readonly dryRun: boolean;
}

/** A checked call of `svc deploy`. */
export type DeployArguments = { readonly json: boolean; readonly kubeconfig?: string } & (
  | { readonly action: 'deploy'; readonly wanted: WantedDeployment }
  | { readonly action: 'start'; readonly config: string | undefined }
  | { readonly action: 'status'; readonly watch: boolean }
  | { readonly action: 'history'; readonly limit: number }
  | { readonly action: 'ask'; readonly request: OperatorRequest; readonly reason: string | undefined }
);

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  revision: text,
  to: text,
  config: text,
  kubeconfig: text,
  replicas: text,
  stages: text,
  'stage-time': text,
  'max-errors': text,
  'min-sample': text,
  hold: text,
  'max-unavailable': text,
  'max-surge': text,
  keep: text,
  'ready-timeout': text,
  'step-timeout': text,
  pre: text,
  post: text,
  url: text,
  'skip-checks': flag,
  'dry-run': flag,
  watch: flag,
  limit: text,
  reason: text,
  json: flag,
} as const;

const requests = ['pause', 'promote', 'abort', 'resume'] as const;
const all = Object.keys(options);
const notOfStrategies = ['to', 'watch', 'limit', 'reason'];
const ofStrategies = all.filter((name) => !notOfStrategies.includes(name));

const optionsOf = (action: string): readonly string[] => {
  if (strategies.some((name) => name === action)) return ofStrategies;
  if (requests.some((name) => name === action)) return ['reason', 'kubeconfig', 'json'];
  if (action === 'rollback') return ['to', ...ofStrategies.filter((name) => name !== 'revision')];
  if (action === 'start') return ['config', 'kubeconfig', 'json'];
  return action === 'status' ? ['watch', 'json'] : ['limit', 'json'];
};

const actions: readonly string[] = [...strategies, 'rollback', 'start', 'status', ...requests, 'history'];

export function parseDeploy(args: readonly string[]): DeployArguments {
  const { values, positionals } = argumentsOf(args, options, usage);
  const { kubeconfig, config } = values;
  for (const path of [kubeconfig, config, ...positionals]) mustBePath(path);
  return { ...parsed(values, positionals), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}

function parsed(values: Values, positionals: readonly string[]): DeployArguments {
  const [action = '', source, ...rest] = positionals;
  if (!actions.includes(action)) throw usage(`Give one action: ${actions.join(', ')}`);
  const foreign = Object.keys(values).find((name) => !optionsOf(action).includes(name));
  if (foreign !== undefined) throw usage(`--${foreign} is not an option of ${action}`);
  const strategy = strategies.find((name) => name === action);
  if (rest.length > 0 || (source !== undefined && strategy === undefined))
    throw usage(`${action} takes no such argument: ${[source, ...rest].at(-1)}`);
  const json = values.json === true;
  const request = requests.find((name) => name === action);
  if (request !== undefined) return { action: 'ask', request, reason: reasonIn(values.reason, usage), json };
  if (action === 'start') return { action, config: values.config, json };
  if (action === 'status') return { action, watch: values.watch === true, json };
  if (action === 'history') return { action, limit: limitIn(values.limit), json };
  if (strategy !== undefined && source === undefined && values.revision === undefined)
    throw usage('Give the application or the image, or with --revision one that was deployed before');
  const given = revisionIn(strategy === undefined ? values.to : values.revision);
  return { action: 'deploy', json, wanted: wantedIn(strategy, source, given, values) };
}

type Values = Partial<
  Record<'config' | 'pre' | 'post' | 'url' | 'to' | 'revision' | 'reason' | 'limit', string> &
    Record<'skip-checks' | 'dry-run' | 'watch' | 'json', boolean> &
    OptionTexts
>;

const wantedIn = (
  strategy: Strategy | undefined,
  source: string | undefined,
  revision: string | undefined,
  values: Values,
): WantedDeployment => ({
  strategy,
  source,
  revision,
  config: values.config,
  options: deploymentOptionsIn(values, usage),
  pre: values.pre,
  post: values.post,
  url: urlIn(values.url),
  skipsChecks: values['skip-checks'] === true,
  dryRun: values['dry-run'] === true,
});

const mostOfPath = 4_096;

/** What is no path is no image either. */
function mustBePath(given: string | undefined): void {
  if (given === undefined || (given.length <= mostOfPath && !/\p{Cc}/u.test(given))) return;
  throw usage(`'${given}' is not a path: at most ${mostOfPath} characters in one line`);
}

function revisionIn(given: string | undefined): string | undefined {
  if (given === undefined || isRevision(given)) return given;
  throw usage(`'${given}' is not a revision: letters, digits, . _ + and -, at most 128`);
}

function urlIn(given: string | undefined): string | undefined {
  if (given === undefined || (/^https?:\/\//.test(given) && URL.canParse(given))) return given;
  throw usage(`--url must be a URL such as http://127.0.0.1:8080, not '${given}'`);
}

function limitIn(given = '20'): number {
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given);
  throw usage(`--limit must be a whole number from 1 to 9999, not '${given}'`);
}

const usage = usageOf('deploy');
