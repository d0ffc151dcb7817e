import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import { takingAll } from '../../testing/taking-all.js';

const example = new URL('../../../../../examples/orders/dist/main.js', import.meta.url);
const { default: orders } = (await import(example.href)) as { readonly default: ServiceDefinition };

/** The orders example, whose stores take each other's events. */
export default takingAll(orders);
