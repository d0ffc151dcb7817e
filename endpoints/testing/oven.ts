import type { Kitchen } from './bakery.js';

/** A kitchen in which every loaf waits until the test releases it. */
export function oven() {
  const inside = new Map<string, { readonly signal: AbortSignal; done(): void }>();
  const waiting: { readonly customers: readonly string[]; readonly resolve: () => void }[] = [];
  const look = () => {
    for (const { customers, resolve } of waiting) if (customers.every((name) => inside.has(name))) resolve();
  };
  const bake: Kitchen['bake'] = ({ customer }, { signal }) =>
    new Promise((resolve) => {
      inside.set(customer, { signal, done: () => resolve({ for: customer }) });
      look();
    });
  return {
    bake,
    has: (...customers: string[]) =>
      new Promise<void>((resolve) => {
        waiting.push({ customers, resolve });
        look();
      }),
    finish: (customer: string) => inside.get(customer)?.done(),
    signalOf: (customer: string) => inside.get(customer)?.signal,
  };
}
