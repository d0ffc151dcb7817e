import { Problem } from '../../../contracts/problems.js';
import type { ApiClient } from './api-client.js';
import type { Deployment, HttpRoute, Labels, RouteRule, Service } from './objects.js';
import type { Paths } from './paths.js';
import { type Backends, shareOf, withHeaderRules, withoutHeaderRules, withShare } from './route.js';
import { labelsPatch, selects, sharedLabels } from './label-selectors.js';

/** Both Deployments, as they were read last. */
export interface Sides {
  readonly old: Deployment;
  readonly new: Deployment;
}

/** What sends requests to the pods: a Service, and a route in front of it where there is one. */
export interface Front {
  /** The share of the new side, in percent. */
  share(sides: Sides, signal: AbortSignal): Promise<number>;
  setShare(sides: Sides, toNew: number, signal: AbortSignal): Promise<void>;
  force(sides: Sides, enabled: boolean, signal: AbortSignal): Promise<void>;
}

/** Callers inside the cluster use the Service, so it follows the route to the side that has everything. */
export const routeFront = (api: ApiClient, paths: Paths): Front => {
  const service = serviceFront(api, paths);
  const change = async (
    decide: (rules: readonly RouteRule[]) => readonly RouteRule[],
    signal: AbortSignal,
  ): Promise<void> => {
    await api.change<HttpRoute>(
      paths.route,
      ({ spec: { rules = [] } }) => {
        const wanted = decide(rules);
        return JSON.stringify(wanted) === JSON.stringify(rules) ? undefined : { spec: { rules: wanted } };
      },
      signal,
    );
  };
  return {
    share: async (sides, signal) => {
      const { spec } = await api.get<HttpRoute>(paths.route, signal);
      return shareOf(spec.rules ?? [], backendsOf(sides)) ?? 0;
    },
    setShare: async (sides, toNew, signal) => {
      await change((rules) => withShare(rules, backendsOf(sides), toNew), signal);
      if (toNew === 0 || toNew === 100) await service.setShare(sides, toNew, signal);
    },
    force: (sides, enabled, signal) =>
      change(
        (rules) => (enabled ? withHeaderRules(rules, backendsOf(sides)) : withoutHeaderRules(rules)),
        signal,
      ),
  };
};

const backendsOf = (sides: Sides): Backends => ({
  old: sides.old.metadata.name,
  new: sides.new.metadata.name,
});

/** Without a route, pods of both sides share the Service: each ready pod gets about as much as any other. */
export const serviceFront = (api: ApiClient, paths: Paths): Front => ({
  share: async (sides, signal) => {
    const { spec } = await api.get<Service>(paths.service, signal);
    const isChosen = (side: Deployment): boolean => selects(spec.selector ?? {}, labelsOf(side));
    if (isChosen(sides.old) && isChosen(sides.new))
      return shareOfPods(readyIn(sides.old), readyIn(sides.new));
    return isChosen(sides.new) ? 100 : 0;
  },
  setShare: async (sides, toNew, signal) => {
    const [before, after] = [labelsOf(sides.old), labelsOf(sides.new)];
    const wanted = toNew === 0 ? before : toNew === 100 ? after : sharedLabels(before, after);
    if (toNew > 0 && toNew < 100) mustNotExceed(sides, toNew, wanted);
    await api.change<Service>(
      paths.service,
      ({ spec }) => {
        const selector = labelsPatch(spec.selector ?? {}, wanted);
        return selector === undefined ? undefined : { spec: { selector } };
      },
      signal,
    );
  },
  // Only a route can read headers.
  force: () => Promise.resolve(),
});

export const labelsOf = ({ spec }: Deployment): Labels => spec.selector.matchLabels ?? {};

const readyIn = ({ status }: Deployment): number => status?.readyReplicas ?? 0;

const shareOfPods = (before: number, after: number): number =>
  before + after === 0 ? 0 : (100 * after) / (before + after);

const tolerated = 20;

/** A stage must not expose more requests to the new revision than it says. */
function mustNotExceed(sides: Sides, toNew: number, shared: Labels): void {
  const share = shareOfPods(sides.old.spec.replicas ?? 1, sides.new.spec.replicas ?? 1);
  const { name } = sides.new.metadata;
  if (Object.keys(shared).length === 0)
    throw new Problem('invalid-setup', {
      detail: `The pods of ${name} and ${sides.old.metadata.name} have no label in common that the Service could select.`,
    });
  if (share > toNew + tolerated)
    throw new Problem('invalid-setup', {
      detail: `Without a route, ${name} would get ${Math.round(share)} percent of the requests instead of ${toNew}; name an HTTPRoute as route.`,
    });
}
